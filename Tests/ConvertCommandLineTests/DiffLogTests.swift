import Foundation
import Testing

/// `diff --log` on lines that withhold properties.
struct DiffLogTests {
    /// `one` reads the plan, `two` keeps out its visitors, and `three` reads nothing.
    private static func config(plan: String = "pro", share: Int = 100, key: String = "one") -> String {
        func audience(_ id: String, _ rule: String) -> String {
            #"{"id":"\#(id)","type":"transient","rules":{"OR":[{"AND":[{"OR_WHEN":[\#(rule)]}]}]}}"#
        }
        func experience(_ id: String, _ key: String, _ audiences: String, share: Int = 100) -> String {
            #"""
            {"id":"\#(id)","key":"\#(key)","version":10,"audiences":[\#(audiences)],
             "settings":{"matching_options":{"audiences":"all"}},
             "variations":[{"id":"\#(id)1","key":"a","traffic_allocation":\#(share),"changes":[]}]}
            """#
        }
        let reading = """
            {"rule_type":"generic_text_key_value","key":"plan","value":"\(plan)",
             "matching":{"match_type":"isIn","negated":false}}
            """
        let asking = """
            {"rule_type":"bucketed_into_experience_key","value":"one",
             "matching":{"match_type":"equals","negated":true}}
            """
        return """
            {"account_id":"1","project":{"id":"2"},"audiences":[\(audience("5", reading)),\(audience("6", asking))],
             "experiences":[\(experience("10", key, "\"5\"")),\(experience("20", "two", "\"6\"")),
              \(experience("30", "three", "", share: share))]}
            """
    }

    private struct Report: Decodable {
        struct Experience: Decodable {
            struct Population: Decodable {
                let moved: Int
                let unknowable: Int
            }

            let population: Population
        }

        let experiences: [Experience]

        var counts: [[Int]] { experiences.map { [$0.population.moved, $0.population.unknowable] } }
    }

    private static func run(_ lines: [String], to new: String, _ options: String...) throws -> Tool.Run {
        try Tool.withFile(config()) { old in
            try Tool.withFile(new) { new in
                let log = lines.joined(separator: "\n") + "\n"
                return try Tool.run(["diff", old, new, "--log", "-"] + options, input: log)
            }
        }
    }

    private static func counts(_ lines: [String], to new: String) throws -> [[Int]] {
        let run = try run(lines, to: new, "--json")
        return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).counts
    }

    private static func line(_ id: String, _ rest: String) -> String {
        #"{"visitorId":"\#(id)","call":{"all":true},"decisions":{"one":"a","two":null,"three":"a"},\#(rest)}"#
    }

    private static let (known, hidden) = (#""attributes":{"plan":"free"}"#, #""withheld":["plan"]"#)

    @Test func visitorsCountApartWhereALineWithholdsWhatDecides() throws {
        let lines = [Self.line("v", Self.known), Self.line("w", Self.hidden), Self.line("x", Self.hidden)]
        // Of the dependant it cannot be known either.
        #expect(try Self.counts(lines, to: Self.config(plan: "pro|free")) == [[1, 2], [1, 2], [0, 0]])
        let run = try Self.run(lines, to: Self.config(plan: "pro|free"))
        let text = "of the population: 1 of 3, 2 cannot be known because properties are withheld"
        #expect(run.output.components(separatedBy: text).count == 3)
    }

    @Test func anExperienceThatReadsNothingWithheldIsKnown() throws {
        let lines = [Self.line("v", Self.known), Self.line("w", Self.hidden)]
        #expect(try Self.counts(lines, to: Self.config(share: 0)) == [[0, 0], [0, 0], [2, 0]])
        let others = [Self.line("v", #""attributes":{"plan":"free"},"withheld":["email"]"#)]
        #expect(try Self.counts(others, to: Self.config(plan: "pro|free")) == [[1, 0], [1, 0], [0, 0]])
    }

    @Test func anotherLineMayHoldWhatOneWithholds() throws {
        let lines = [Self.line("v", Self.hidden), Self.line("v", Self.known)]
        #expect(try Self.counts(lines, to: Self.config(plan: "pro|free")) == [[1, 0], [1, 0], [0, 0]])
    }

    @Test func everyKindOfCallCanWithhold() throws {
        let calls = [
            #""call":{"each":true},"decisions":{"one":"a"}"#, #""decisions":{"one":"a"}"#,
            #""call":{"features":true},"features":{}"#, #""call":{"byId":true},"decisions":{"10":"a"}"#,
        ]
        for call in calls {
            let line = #"{"visitorId":"v",\#(call),\#(Self.hidden)}"#
            let found = try Self.counts([line], to: Self.config(plan: "pro|free", key: "uno"))
            #expect(found[0] == [0, 1], "\(call)")
        }
    }

    @Test func aPageNamesThemToo() throws {
        try Tool.withFile("") { page in
            _ = try Self.run(
                [Self.line("v", Self.hidden)], to: Self.config(plan: "pro|free"), "--html", page)
            let html = try String(contentsOfFile: page, encoding: .utf8)
            #expect(html.contains("Cannot be known"))
            #expect(html.contains("Visitors of the log whose lines withhold what decides it: 1."))
        }
    }

    @Test func anAnswerThatEveryValueOfAWithheldPropertyGivesIsKnown() throws {
        let country = #"""
            {"rule_type":"generic_text_key_value","key":"country","value":"de",
             "matching":{"match_type":"equals","negated":false}}
            """#
        let start = #""OR_WHEN":[{"rule_type":"generic_text_key_value""#
        let old = Self.config().replacing(start, with: start.replacing("[{", with: "[\(country),{"))
        let new = old.replacing(#""project""#, with: #""archived_experiences":["10"],"project""#)
        let line = Self.line("v", #""attributes":{"country":"de"},"withheld":["plan"]"#)
        let run = try Tool.withFile(old) { old in
            try Tool.withFile(new) { try Tool.run("diff", old, $0, "--log", "-", "--json", input: line + "\n") }
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.counts == [[1, 0], [1, 0], [0, 0]])
    }
}
