import Foundation
import Testing

/// What README and catalogs show is code that is compiled, and output that is printed.
struct DocumentationTests {
    @Test func everySwiftBlockStandsInAFileThatIsCompiled() throws {
        let folders = ["Tests/ConvertDocumentationTests", "Tests/ServerApp/Sources", "Tests/Adopter"]
        let sources = try folders.flatMap { try Documentation.files(in: $0, named: ".swift") }
            .map { try Documentation.lines(of: $0) }
        var count = 0
        for page in try Documentation.pages() {
            for block in page.blocks where block.language == "swift" {
                count += 1
                let isThere = sources.contains { Self.holds($0, block.lines[...]) }
                #expect(isThere, "\(page.name), line \(block.line)")
            }
        }
        #expect(count > 20)
    }

    /// Whether `lines` has those of `block`, one behind the other, all indented alike.
    private static func holds(_ lines: [String], _ block: ArraySlice<String>) -> Bool {
        guard let first = block.first else { return false }
        return lines.indices.contains { start in
            guard lines[start].hasSuffix(first), start + block.count <= lines.count else { return false }
            let indent = lines[start].dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines[start...], block).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
        }
    }

    @Test func everyCommandPrintsWhatIsShown() throws {
        var count = 0
        for page in try Documentation.pages() {
            for (index, block) in page.blocks.enumerated() where block.language == "sh" {
                // A command goes on in the next line behind a backslash.
                let commands = block.lines.joined(separator: "\n").replacing("\\\n", with: "")
                    .split(separator: "\n").map(String.init).filter { $0.contains("swift run convert-sdk ") }
                let outputs = try commands.map { command in
                    let run = try Documentation.run(command)
                    #expect(run.status < 2, "\(page.name), line \(block.line): \(run.output)")
                    return run.output
                }
                count += commands.count
                guard index + 1 < page.blocks.count, page.blocks[index + 1].language == "text" else { continue }
                let shown = page.blocks[index + 1].lines.joined(separator: "\n")
                let printed = outputs.joined().trimmingCharacters(in: .newlines).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).map { line in line.trimmingSuffix(" ") }.joined(separator: "\n")
                #expect(printed == shown, "\(page.name), line \(block.line)")
            }
        }
        #expect(count > 10)
    }

    @Test func everyJSONBlockIsJSON() throws {
        for page in try Documentation.pages() {
            for block in page.blocks where block.language == "json" {
                let text = block.lines.joined(separator: "\n")
                #expect(throws: Never.self, "\(page.name), line \(block.line)") {
                    try JSONSerialization.jsonObject(with: Data(text.utf8))
                }
            }
        }
    }

    @Test func everyLinkByPathLeadsSomewhere() throws {
        var count = 0
        for page in try Documentation.pages() {
            for match in page.text.matches(of: /\]\(([^)#]+)\)/) where !match.1.hasPrefix("http") {
                count += 1
                let file = page.file.deletingLastPathComponent().appending(path: String(match.1))
                #expect(FileManager.default.fileExists(atPath: file.path), "\(page.name): \(match.1)")
            }
        }
        #expect(count > 10)
    }

    @Test func everyRowOfTheFailureTablesHasItsTests() throws {
        let page = try #require(try Documentation.pages().first { $0.name.hasSuffix("Failure.md") })
        let lines = page.text.split(separator: "\n")
        // A table's first line names its columns.
        let rows = zip(lines, lines.dropFirst() + [""]).filter { line, next in
            line.hasPrefix("| ") && !line.hasPrefix("| ---") && !next.hasPrefix("| ---")
        }.map { $0.0.dropFirst(2).split(separator: " | ").first ?? "" }
        #expect(rows.count > 30)
        let listed = try Self.failureRows()
        #expect(listed.map { $0.row } == rows.map { String($0) })
        let tests = try Documentation.files(in: "Tests", named: "Tests.swift")
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        // Looking through all files for each name would take seconds.
        let declared = Set(tests.components(separatedBy: "func ").map { $0.prefix { $0 != "(" } })
        for (row, names) in listed {
            #expect(!names.isEmpty, "\(row)")
            for name in names { #expect(declared.contains(name), "\(name)") }
        }
    }

    /// The rows of the failure tables, in order, and the names of their tests, which are indented in the file.
    private static func failureRows() throws -> [(row: String, names: [Substring])] {
        let file = Documentation.root.appending(path: "Tests/Documentation/failure-rows")
        let paragraphs = try String(contentsOf: file, encoding: .utf8).split(separator: "\n\n").dropFirst()
        return paragraphs.map { paragraph in
            let lines = paragraph.split(separator: "\n")
            return (String(lines.first ?? ""), lines.dropFirst().map { $0.drop { $0 == " " } })
        }
    }

    @Test func theArticleOnTheToolNamesEveryCommand() throws {
        let page = try #require(try Documentation.pages().first { $0.name.hasSuffix("Tool.md") })
        let commands = try Tool.run("help").output.split(separator: "\n").compactMap { line in
            line.hasPrefix("convert-sdk ") ? line.split(separator: " ")[1] : nil
        }
        #expect(commands.count > 10)
        for command in commands { #expect(page.text.contains("`convert-sdk \(command)`"), "\(command)") }
    }

    @Test func theVersionIsThatOfTheChangelog() throws {
        let changelog = try String(contentsOf: Documentation.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changelog.firstMatch(of: /\n## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d\n/)?.1)
        #expect(try Tool.run("--version").output == "convert-sdk \(newest)\n")
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var rest = self
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
