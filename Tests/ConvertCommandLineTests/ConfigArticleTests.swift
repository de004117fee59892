import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

@testable import convert_sdk

/// What the article about the config says, put to the engine.
struct ConfigArticleTests {
    /// A row of a table of conditions: `match_type value`, the attribute `k`, whether the condition holds.
    struct Row: CustomStringConvertible {
        let operation: String
        let value: String
        let isNegated: Bool
        /// The attribute as JSON; `nil` for a visitor without it.
        let attribute: String?
        let holds: Bool
        let description: String

        /// Reads a row; `nil` if the line is not one.
        init?(_ line: String) {
            let cells = line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().map { $0.trimmingCharacters(in: .whitespaces).replacing("\u{0}", with: "|") }
            guard cells.count == 5, cells[2] == "yes" || cells[2] == "no" else { return nil }
            var condition = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))[...]
            isNegated = condition.hasPrefix("not ")
            if isNegated { condition = condition.dropFirst(4) }
            let parts = condition.split(separator: " ", maxSplits: 1)
            operation = parts.first.map(String.init) ?? ""
            value = parts.count > 1 ? String(parts[1]) : "null"
            attribute = cells[1] == "missing" ? nil : cells[1].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            holds = cells[2] == "yes"
            description = "\(cells[0]) on \(cells[1])"
        }

        /// Whether the engine lets in a visitor with the attribute.
        func answer() throws -> Bool {
            let matching = #"{"match_type": "\#(operation)", "negated": \#(isNegated)}"#
            let leaf = #"{"key": "k", "value": \#(value), "matching": \#(matching)}"#
            let config = """
                {"account_id": "1", "project": {"id": "2"},
                 "audiences": [{"id": "5", "rules": {"OR": [{"AND": [{"OR_WHEN": [\(leaf)]}]}]}}],
                 "experiences": [{"id": "9", "key": "e", "settings": {"matching_options": {"audiences": "any"}},
                                  "audiences": ["5"], "variations": [{"id": "91", "key": "v"}]}]}
                """
            let manager = ExperienceManager(project: Project(try ProjectConfig(json: Data(config.utf8))))
            let attributes = try JSValue(json: Data("{\(attribute.map { "\"k\": \($0)" } ?? "")}".utf8)).objectValue
            var visitor = manager.visitor(id: "v", attributes: attributes ?? JSObject(), state: VisitorState())
            return manager.selectVariation("e", for: &visitor, options: DecisionOptions()).value.variation != nil
        }
    }

    private static func page() throws -> Documentation.Page {
        try Documentation.Page(
            Documentation.root.appending(path: "Sources/ConvertSwiftSDK/ConvertSwiftSDK.docc/Config.md"))
    }

    static func rows() throws -> [Row] {
        try page().text.split(separator: "\n").compactMap { Row(String($0)) }
    }

    @Test func theArticleHasRowsForEveryOperatorOfTheJavaScriptSDK() throws {
        let rows = try Self.rows()
        #expect(rows.count > 40)
        let text = try Self.page().text
        for name in ConvertSwiftSDKCore.Operation.wireNames {
            #expect(text.contains("`\(name)") || text.contains("`not \(name)"), "\(name)")
        }
    }

    @Test(arguments: try rows()) func theEngineAnswersAsTheTableSays(row: Row) throws {
        #expect(try row.answer() == row.holds)
    }

    @Test func theArticleNamesEveryMemberThatIsRead() throws {
        let text = try Self.page().text
        var names: Set<String> = []
        try JSONSchema.forEachSchema(in: JSONSchema(SchemaName.config.json).root) { schema in
            names.formUnion(schema["properties"]?.objectValue?.map(\.key.name) ?? [])
        }
        for name in names {
            let isNamed = ["`\(name)`", ".\(name)`", "\"\(name)\""].contains { text.contains($0) }
            #expect(isNamed, "\(name)")
        }
    }

    @Test func theConfigInTheArticleIsTheFileThatItNames() throws {
        let file = Documentation.root.appending(path: "TestVectors/configs/first-config.json")
        let block = try #require(try Self.page().blocks.first { $0.language == "json" })
        #expect(block.lines.joined(separator: "\n") + "\n" == (try String(contentsOf: file, encoding: .utf8)))
        let schema = try JSONSchema(SchemaName.config.json)
        #expect(schema.faults(in: try JSValue(json: Data(contentsOf: file))) == [])
    }

    /// A visitor with a stored decision who left the audience keeps the variation if the audience is permanent.
    @Test(arguments: [("transient", nil), ("permanent", "old")] as [(String, String?)])
    func onlyAPermanentAudienceKeepsAVisitorWhoLeftIt(type: String, expected: String?) throws {
        let file = Documentation.root.appending(path: "TestVectors/configs/first-config.json")
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacing(#""key": "paying", "type": "transient""#, with: #""key": "paying", "type": "\#(type)""#)
        let manager = ExperienceManager(project: Project(try ProjectConfig(json: Data(text.utf8))))
        let state = try VisitorState(json: Data(#"{"bucketing": {"302": "402"}}"#.utf8))
        var visitor = manager.visitor(id: "visitor-1", attributes: ["plan": "free"], state: state)
        let answer = manager.selectVariation("new-search", for: &visitor, options: DecisionOptions())
        #expect(answer.value.variation?.variationKey == expected)
    }
}
