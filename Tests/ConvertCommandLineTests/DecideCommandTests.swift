import Foundation
import Testing

struct DecideCommandTests {
    private static let config = """
        {"account_id": "1", "project": {"id": "2"}, "audiences": [{"id": "a", "key": "pro", "rules": {"OR": [{"AND": [
        {"OR_WHEN": [{"rule_type": "generic_text_key_value", "key": "plan", "value": "pro", "matching":
        {"match_type": "equals", "negated": false}}]}]}]}}], "experiences": [{"id": "9", "key": "checkout", "version": 11,
        "audiences": ["a"], "settings": {"matching_options": {"audiences": "any"}},
        "variations": [{"id": "91", "key": "original"}]}]}
        """

    private func decide(_ arguments: String..., config: String = config) throws -> Tool.Run {
        try Tool.withFile(config) { file in
            try Tool.run(["decide", "--config", file, "--visitor", "v1"] + arguments)
        }
    }

    @Test func aTableNamesTheVariationAndItsBucket() throws {
        let run = try decide("--attribute", "plan=PRO")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        let rows = run.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rows.count == 2)
        #expect(rows.last?.first == "checkout")
        #expect(rows.last?[1] == "original")
        #expect(rows.last?.last == "bucketed")
    }

    @Test func whoIsNotEligibleIsToldWhy() throws {
        #expect(try decide().output.contains("audienceNotMatched"))
    }

    @Test func attributesOfAnyTypeComeAsJSON() throws {
        #expect(try decide("--attributes", #"{"plan": ["pro"]}"#).output.contains("original"))
    }

    @Test func jsonIsForPrograms() throws {
        let run = try decide("--attribute", "plan=pro", "--json")
        let answers = try JSONDecoder().decode([[String: JSONScalar]].self, from: Data(run.output.utf8))
        #expect(answers.count == 1)
        #expect(answers.first?["variationKey"] == .text("original"))
        #expect(answers.first?["experienceId"] == .text("9"))
        #expect(answers.first?["source"] == .text("bucketed"))
    }

    @Test func explainingNamesEveryConditionWithItsOperands() throws {
        let output = try decide("--attribute", "plan=free", "--explain").output
        #expect(output.contains(#"- plan ("free") equals "pro""#))
        #expect(output.contains("- audiences: 0 of 1 to check match"))
    }

    @Test func anUnknownExperienceIsAnAnswerNotAnError() throws {
        let run = try decide("--experience", "nope")
        #expect(run.status == 0)
        #expect(run.output.contains("unknownExperience"))
    }

    @Test func javaScriptWithoutLocationsFindsNobodyEligible() throws {
        #expect(try decide("--semantics", "javaScript").output.contains("missingLocationProperties"))
    }

    @Test(arguments: [
        ("", "the document is empty"), (#"{"account_id": "1", "proj"#, "ends too early"), ("[]", "expected an object"),
        (#"{"error": "no such key"}"#, "the server answered with an error"), (#"{"account_id": "1"}"#, "$.project.id"),
    ])
    func aConfigThatIsNoneEndsWithOneLine(config: String, complaint: String) throws {
        let run = try decide(config: config)
        #expect(run.status == 2)
        #expect(run.complaints.count == 1)
        #expect(run.errors.contains(complaint))
        #expect(run.output.isEmpty)
    }

    @Test func whatIsWrongWithAConfigIsWarnedAbout() throws {
        let run = try decide(config: Self.config.replacing(#""audiences": ["a"]"#, with: #""audiences": ["gone"]"#))
        #expect(run.status == 0)
        #expect(run.errors.contains("warning: $.experiences[0].audiences"))
    }

    @Test(arguments: [
        (["decide"], "--config is missing"), (["decide", "--config", "x"], "--visitor is missing"),
        (["decide", "--config", "/no/such/file", "--visitor", "v"], "cannot read '/no/such/file'"),
        (["decide", "--config", "x", "--visitor", ""], "--visitor is empty"),
        (["decide", "--config", "x", "--visitor", "v", "--attribute", "novalue"], "not of the form KEY=TEXT"),
        (["decide", "--config", "x", "--visitor", "v", "--attributes", "[1]"], "--attributes is no JSON object"),
        (["decide", "--config", "x", "--visitor", "v", "--semantics", "no"], "unknown semantics 'no'"),
        (["decide", "--config", "x", "--visitor", "v", "extra"], "unexpected 'extra'"),
        (["frobnicate"], "unknown command"),
        ([], "no command given"), (["help", "frobnicate"], "no help on 'frobnicate'"),
        (["vectors"], "no vector files given"),
    ])
    func badUsageEndsWithOneLineThatSaysWhatToDo(arguments: [String], complaint: String) throws {
        let run = try Tool.run(arguments)
        #expect(run.status == 2)
        #expect(run.complaints.count == 1)
        #expect(run.errors.contains(complaint))
    }

    @Test func helpAndVersionAreAnswers() throws {
        #expect(try Tool.run("help").status == 0)
        #expect(try Tool.run("help", "decide").output.contains("--semantics"))
        #expect(try Tool.run("--version").output.hasPrefix("convert-sdk "))
    }
}

/// A scalar of a JSON answer.
private enum JSONScalar: Decodable, Equatable {
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .other
        }
    }
}
