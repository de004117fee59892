import ConvertMobileRules
import Foundation
import Testing

/// The rows of the article Matchers and their traps, put to the engine.
struct MatcherTableTests {
    struct Row: CustomStringConvertible {
        let matcher: String
        let values: String
        /// The event's data as JSON; `nil` for an event without data.
        let data: String?
        let holds: Bool
        let description: String

        /// Reads a row; `nil` if the line is not a row.
        init?(_ line: Substring) {
            let cells = line.split(separator: " | ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "| ")) }
            guard cells.count == 4, cells[0].first == "`", cells[2] == "yes" || cells[2] == "no" else { return nil }
            let condition = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`")).split(
                separator: " ", maxSplits: 1)
            matcher = condition.first.map(String.init) ?? ""
            values = condition.count > 1 ? String(condition[1]) : "[]"
            data = cells[1] == "no data" ? nil : cells[1].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            holds = cells[2] == "yes"
            description = "\(cells[0]) on \(cells[1])"
        }

        /// Whether the engine says that the condition holds, and whether its explanation does.
        func answers() throws -> (match: Bool, explanation: Bool?) {
            let definition = #"{"key": "k", "matcher": "\#(matcher)", "values": \#(values)}"#
            let rule = #"{"condition": {"type": "matcher", "definition": \#(definition)}, "consequences": []}"#
            let engine = MobileRulesEngine()
            engine.replaceRules(with: try RulesDocument(json: Data(#"{"version": 1, "rules": [\#(rule)]}"#.utf8)))
            let data = data.map { #", "data": \#($0)"# } ?? ""
            let event = try MobileEvent(json: Data(#"{"type": "t", "source": "s"\#(data)}"#.utf8))
            return (!engine.process(event).matchedRules.isEmpty, engine.explain(event).rules.first?.matches)
        }
    }

    static func rows() throws -> [Row] {
        let file = "Sources/ConvertMobileRules/ConvertMobileRules.docc/Matchers.md"
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap(Row.init)
    }

    @Test func theTableHasRows() throws { #expect(try Self.rows().count > 35) }

    @Test(arguments: try rows()) func theEngineAnswersAsTheTableSays(row: Row) throws {
        let answers = try row.answers()
        #expect(answers.match == row.holds)
        #expect(answers.explanation == row.holds)
    }
}
