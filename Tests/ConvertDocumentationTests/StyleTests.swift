import Foundation
import Testing

/// Sources, tests and pages are written in plain English, in lines of at most 120 columns.
struct StyleTests {
    static func files() throws -> [StyledFile] {
        let below = try ["Sources", "Tests"].flatMap { directory in
            try FileManager.default.subpathsOfDirectory(atPath: directory).map { "\(directory)/\($0)" }
        }
        let paths = (below + ["README.md", "CHANGELOG.md"]).filter { path in
            // The words that this file looks for are not findings. Folders with a point are builds.
            ["swift", "md"].contains((path as NSString).pathExtension) && !path.contains("/.") && path != own
        }
        return try paths.sorted().map { StyledFile(path: $0, text: try String(contentsOfFile: $0, encoding: .utf8)) }
    }

    private static let own = "Tests/ConvertDocumentationTests/StyleTests.swift"

    @Test func thereAreFilesToRead() throws { #expect(try Self.files().count > 1_000) }

    @Test func noFileUsesABannedWord() throws {
        let findings = try Self.files().flatMap(\.bannedWords)
        #expect(findings.isEmpty, "\(findings.count) findings\n\(findings.joined(separator: "\n"))")
    }

    @Test func noLineIsLongerThan120Columns() throws {
        let findings = try Self.files().flatMap(\.longLines)
        #expect(findings.isEmpty, "\(findings.count) findings\n\(findings.joined(separator: "\n"))")
    }

    @Test(arguments: [
        ("a.swift", "/// `nil` if there is none."), ("a.swift", "/// The first value; `nil` if it is\n    /// none."),
        ("a.swift", "log(\"the caller is \"\n    + \"told\")"), ("a.swift", "@Test func nobodyEnters() {}"),
        ("a.swift", "let lentBuffer = 1"), ("a.swift", "// Those who wait."), ("a.swift", "// Who waits goes on."),
        ("a.swift", "// It ends, and who waits goes on."), ("a.swift", "// In the end, who waits goes on."),
        ("a.swift", "@Test func whoWaitsGoesOn() {}"), ("a.md", "Whoever reads\nthis."), ("a.md", "| So many | a |"),
    ])
    func aBannedWordIsFound(path: String, text: String) {
        #expect(StyledFile(path: path, text: text).bannedWords.count == 1)
    }

    @Test(arguments: [
        ("a.swift", "/// A visitor who returns, and visitors, who may return."),
        ("a.swift", "/// Says \"there is none\"."), ("a.swift", "/// The state `nobody`."),
        ("a.swift", "struct SilentObserver {}"), ("a.swift", "// This is. None is."),
        ("a.swift", "set(CURLOPT_NOBODY)"),
        ("a.swift", "log(\"visitors \"\n    + \"who return\")"), ("a.md", "It says “nobody”."),
        ("a.md", "```\nnobody\n```\n\nText."),
    ])
    func otherWordsAndQuotationsAreNotFound(path: String, text: String) {
        #expect(StyledFile(path: path, text: text).bannedWords == [])
    }

    private static let words = Array(repeating: "word", count: 25).joined(separator: " ")
    private static let token = String(repeating: "x", count: 130)

    @Test(arguments: [
        ("a.swift", "/// \(words)"), ("a.swift", "    log(\"\(words)\")"), ("a.md", words), ("a.md", "* \(words)"),
    ])
    func aLineThatCanBeBrokenIsFound(path: String, text: String) {
        #expect(StyledFile(path: path, text: text).longLines.count == 1)
    }

    @Test(arguments: [
        ("a.swift", "/// \(token)"), ("a.swift", "    let text = \"\(token)\""), ("a.md", "| \(words) |"),
        ("a.md", "# \(words)"), ("a.md", "```\n\(words)\n```"), ("a.md", "See\nhttps://example.com/\(token)."),
    ])
    func aLineThatCannotBeBrokenIsNotFound(path: String, text: String) {
        #expect(StyledFile(path: path, text: text).longLines == [])
    }
}

/// A Swift file or a Markdown page.
struct StyledFile {
    private enum Kind {
        case code, comment, prose
        /// A row of a table or a heading, which cannot continue on another line.
        case row
        /// A line in a block of Markdown code.
        case block
    }

    private struct Line {
        let number: Int
        let text: Substring
        let kind: Kind
    }

    private struct Word {
        var text = ""
        var line = 0
        /// The characters between this word and the one before it.
        var gap = ""
    }

    private static let phrases = [
        ["is", "none"], ["is", "told"], ["nobody"], ["those", "who"], ["whoever"], ["lent"], ["so", "many"],
    ]
    /// Words after which "who" stands without a noun.
    private static let wordsBeforeWho: Set = Set(
        """
        a about all and any as ask asks at be both but by case decide decides each few find finds for from func he her \
        him if in into is it know knows let many most nor not of on one ones only or other others out over said say \
        says see sees she show shows so some tell tells than that the them then these they to told us var was we were \
        when where which while with yet you
        """.split(separator: " ").map(String.init))
    /// Nouns that a comma may separate from "who".
    private static let people: Set = ["people", "person", "reader", "readers", "user", "users", "visitor", "visitors"]
    /// What every passage with a finding holds. Searching for it is much faster than taking a passage apart.
    private static let hints = ["none", "told", "nobody", "who", "lent", "many"]
    private static let columns = 120

    private let path: String
    private let lines: [Line]

    init(path: String, text: String) {
        self.path = path
        var lines: [Line] = []
        var isInBlock = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " }
            var kind: Kind = content.hasPrefix("//") ? .comment : .code
            if path.hasSuffix(".md") {
                let isFence = content.hasPrefix("```")
                let followsGap = lines.last.map { $0.text.isEmpty || $0.kind == .block } ?? true
                let isIndented = line.hasPrefix("    ") && followsGap
                kind = content.hasPrefix("|") || content.hasPrefix("#") ? .row : .prose
                if isFence || isInBlock || isIndented { kind = .block }
                if isFence { isInBlock.toggle() }
            }
            lines.append(Line(number: index + 1, text: line, kind: kind))
        }
        self.lines = lines
    }

    /// The places at which a banned word or phrase begins.
    var bannedWords: [String] {
        var findings: [String] = []
        var start = 0
        for index in lines.indices where index + 1 == lines.count || ends(index) {
            let words = words(in: lines[start...index])
            start = index + 1
            for (position, word) in words.enumerated() {
                for phrase in Self.phrases where Self.begins(words[position...], with: phrase) {
                    findings.append("\(path):\(word.line): \(phrase.joined(separator: " "))")
                }
                if word.text == "who", Self.lacksANoun(word, after: position > 0 ? words[position - 1] : nil) {
                    findings.append("\(path):\(word.line): who without a noun")
                }
            }
        }
        return findings
    }

    /// Whether a paragraph of a page, a comment or a run of code ends with a line.
    private func ends(_ index: Int) -> Bool {
        let (line, next) = (lines[index], lines[index + 1])
        return line.kind != next.kind || line.kind == .row || next.text.allSatisfy { $0 == " " || $0 == "/" }
    }

    private func words(in lines: ArraySlice<Line>) -> [Word] {
        guard let kind = lines.first?.kind, kind != .block else { return [] }
        let passage = lines.map(\.text).joined(separator: "\n").lowercased()
        guard Self.hints.contains(where: { passage.contains($0) }) else { return [] }
        var words: [Word] = []
        var word = Word()
        var isLowercase = false
        func finishWord() {
            if word.text.isEmpty { return }
            // Constants of C libraries are no prose.
            if word.text.count > 1, word.text == word.text.uppercased() { word.text = "CONSTANT" }
            word.text = word.text.lowercased()
            words.append(word)
            word = Word()
        }
        for (line, text) in Self.withoutQuotations(lines, isCode: kind == .code) {
            for byte in text.utf8 {
                let character = Character(Unicode.Scalar(byte))
                if !character.isASCII || !character.isLetter {
                    finishWord()
                    word.gap.append(character)
                } else {
                    if character.isUppercase, isLowercase { finishWord() }
                    word.line = line
                    word.text.append(character)
                }
                isLowercase = character.isASCII && character.isLowercase
            }
            finishWord()
            word.gap.append("\n")
            isLowercase = false
        }
        return words
    }

    /// The lines with a word in place of each quotation and each code in back quotes.
    private static func withoutQuotations(_ lines: ArraySlice<Line>, isCode: Bool) -> [(line: Int, text: String)] {
        if isCode { return lines.map { ($0.number, String($0.text)) } }
        let text = lines.map(\.text).joined(separator: "\n")
            .replacing(/``?[^`]+``?|"[^"]+"|“[^”]+”/) { match in
                "quotation" + String(repeating: "\n", count: match.output.count { $0 == "\n" })
            }
        return zip(lines, text.split(separator: "\n", omittingEmptySubsequences: false)).map { ($0.number, String($1)) }
    }

    private static func begins(_ words: ArraySlice<Word>, with phrase: [String]) -> Bool {
        let found = words.prefix(phrase.count)
        // A phrase continues in the next comment line, literal or part of a name, not in the next sentence.
        let gaps = found.dropFirst().map(\.gap).joined()
        return found.map(\.text) == phrase && gaps.allSatisfy { " \n/\"+\\".contains($0) }
    }

    private static func lacksANoun(_ word: Word, after previous: Word?) -> Bool {
        guard let previous, !wordsBeforeWho.contains(previous.text) else { return true }
        let continuesALiteral = word.gap.contains("+")
        if word.gap.contains(where: { ".:;!?([|*".contains($0) || $0 == "\"" && !continuesALiteral }) { return true }
        return word.gap.contains(",") && !people.contains(previous.text)
    }

    /// The lines beyond 120 columns that end before if they are broken at a space.
    var longLines: [String] {
        lines.filter { $0.text.utf8.count > Self.columns && $0.text.count > Self.columns && Self.canBeBroken($0) }
            .map { "\(path):\($0.number): \($0.text.count) columns" }
    }

    private static func canBeBroken(_ line: Line) -> Bool {
        if line.kind == .row || line.kind == .block { return false }
        let marker = line.text.prefix { " /*-".contains($0) }
        let end = line.text.index(line.text.startIndex, offsetBy: columns)
        guard let space = line.text[marker.endIndex...end].lastIndex(of: " ") else { return false }
        return marker.count + line.text[line.text.index(after: space)...].prefix { $0 != " " }.count <= columns
    }
}
