import ConvertTestSupport
import Foundation
import Testing

struct DecideCommandTests {
    static let config = """
        {"account_id": "1", "project": {"id": "2"}, "audiences": [{"id": "a", "key": "pro", "rules": {"OR": [{"AND": [
        {"OR_WHEN": [{"rule_type": "generic_text_key_value", "key": "plan", "value": "pro", "matching":
        {"match_type": "equals", "negated": false}}]}]}]}}], "experiences": [{"id": "9", "key": "checkout",
        "version": 11,
        "audiences": ["a"], "settings": {"matching_options": {"audiences": "any"}},
        "variations": [{"id": "91", "key": "original"}]}]}
        """

    /// Everybody gets the first of two arms; the second one carries a feature.
    private static let twoArms = """
        {"account_id": "1", "project": {"id": "2"}, "features": [{"id": "5", "key": "flow"}],
        "experiences": [{"id": "9",
        "key": "checkout", "version": 11, "variations": [{"id": "91", "key": "original", "traffic_allocation": 100},
        {"id": "92", "key": "green", "traffic_allocation": 0, "changes": [{"type": "fullStackFeature",
        "data": {"feature_id": "5", "variables_data": {}}}]}]}]}
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

    @Test func aMisspelledMemberOfWhatIsStoredIsRefused() throws {
        let run = try decide("--stored", #"{"buckting": {"9": "91"}}"#)
        #expect(run.status == 2 && run.errors.contains("unknown member 'buckting'; did you mean 'bucketing'?"))
        #expect(try decide("--stored", #"{"bucketing": []}"#).errors.contains("$.stored.bucketing: expected an object"))
        #expect(try decide("--stored", #"{"locations": {}}"#).errors.contains("$.stored.locations: expected a list"))
        #expect(try decide("--stored", #"{"bucketing": null, "goals": {}}"#, "-a", "plan=pro").status == 0)
    }

    @Test(arguments: [#"{"checkout": "original"}"#, #"{"9": "original"}"#, #"{"checkout": "91"}"#])
    func aStoredDecisionByKeyIsWarnedOf(bucketing: String) throws {
        let run = try decide("--stored", #"{"bucketing": \#(bucketing)}"#, "-a", "plan=pro")
        let key = bucketing.contains("checkout") ? "checkout" : "original"
        let message =
            "convert-sdk: warning: --stored: bucketing takes ids, and '\(key)' is a key, which is ignored; "
            + #"give {"bucketing": {"9": "91"}}"# + "\n"
        #expect(run.status == 0 && run.errors == message, "\(run.errors)")
    }

    @Test(arguments: [#"{"9": "91"}"#, #"{"9": "93"}"#, #"{"7": "original"}"#])
    func aStoredDecisionByIDIsNotWarnedOf(bucketing: String) throws {
        #expect(try decide("--stored", #"{"bucketing": \#(bucketing)}"#, "-a", "plan=pro").errors.isEmpty)
    }

    /// Each command takes all the steps that a pattern may take, so one of them suffices; both with CONVERT_CASES=2.
    @Test(arguments: ["decide", "features"].prefix(caseCount(1)))
    func aPatternThatIsGivenUpIsComplainedOfOnce(command: String) throws {
        let config = """
            {"account_id": "1", "project": {"id": "2"}, "audiences": [{"id": "a",
            "rules": {"OR": [{"AND": [{"OR_WHEN": [
            {"key": "text", "value": "^(a+)+\\\\1$",
            "matching": {"match_type": "regexMatches", "negated": true}}]}]}]}}],
            "experiences": [{"id": "1", "key": "e", "audiences": ["a"], "variations": [{"id": "11"}]},
            {"id": "2", "key": "f", "audiences": ["a"], "variations": [{"id": "21"}]}]}
            """
        let text = String(repeating: "a", count: 40) + "!"
        let run = try Tool.withFile(config) { file in
            try Tool.run([command, "--config", file, "--visitor", "v", "--attribute", "text=\(text)"])
        }
        let complaints = run.errors.split(separator: "\n").filter { $0.contains("given up") }
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("'text'") == true)
    }

    @Test func twoExperiencesWithOneKeyDecideTheFirstOnce() throws {
        let twice = #"{"id": "8", "key": "twice", "version": 11, "variations": [{"id": "81", "key": "first"}]}"#
        let again = #"{"id": "7", "key": "twice", "version": 11, "variations": [{"id": "71", "key": "second"}]}"#
        let config = #"{"account_id": "1", "project": {"id": "2"}, "experiences": [\#(twice), \#(again)]}"#
        let rows = try decide(config: config).output.split(separator: "\n")
        #expect(rows.count == 2)
        #expect(rows.last?.contains("first") == true)
    }

    @Test func anAttributeOfTwoOptionsIsRefused() throws {
        let run = try decide("--attribute", "plan=pro", "--attributes", #"{"plan": "free"}"#)
        #expect(run.status == 2 && run.errors.contains("'plan' is given by --attribute and by --attributes"))
        #expect(try decide("--attribute", "plan=pro", "--attributes", #"{"age": 1}"#).output.contains("original"))
    }

    @Test func anAttributeThatNoRuleReadsIsWarnedOf() throws {
        let run = try decide("--attribute", "plam=pro")
        #expect(run.status == 0 && run.errors.contains("no rule reads the attribute 'plam'; did you mean 'plan'?"))
        #expect(try decide("--attribute", "plan=pro").errors.isEmpty)
    }

    @Test func attributesThatAreNoJSONAreSaidWithTheirPlace() throws {
        let run = try decide("--attributes", #"{"plan": "pro",}"#)
        #expect(run.status == 2)
        #expect(run.errors.contains("line 1, column 16"))
    }

    @Test func theReasonOfAnIneligibleVisitorIsPrinted() throws {
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

    @Test func anUnknownExperienceIsANoThatNamesTheNearest() throws {
        let run = try decide("--experience", "chekout", "--experience", "checkout")
        #expect(run.status == 1)
        #expect(run.output.contains("unknownExperience") && run.output.contains("audienceNotMatched"))
        #expect(run.complaints == ["convert-sdk: the config has no experience 'chekout'; did you mean 'checkout'?"])
    }

    @Test func aStoredDecisionDecides() throws {
        let stored = #"{"bucketing": {"9": "92"}}"#
        let (new, sticky, fromFile) = (
            try decide(config: Self.twoArms), try decide("--stored", stored, config: Self.twoArms),
            try Tool.withFile(stored) { try decide("--stored", $0, config: Self.twoArms) }
        )
        #expect(new.output.contains("original"))
        #expect(sticky.output.contains("green") && fromFile.output.contains("green"))
        #expect(try decide("--stored", "[1]", config: Self.twoArms).status == 2)
    }

    @Test(arguments: [["--force", "checkout=green"], ["--force", "9=92"], ["--preview", "checkout.green"]])
    func aVariationIsForcedOrPreviewedByKeyOrID(arguments: [String]) throws {
        try Tool.withFile(Self.twoArms) { file in
            let run = try Tool.run(["decide", "--config", file, "--visitor", "v1"] + arguments)
            #expect(run.status == 0 && run.output.contains("green"))
        }
    }

    @Test func aForcedVariationBringsItsFeatures() throws {
        try Tool.withFile(Self.twoArms) { file in
            let arguments = ["features", "--config", file, "--visitor", "v1"]
            let (own, forced) = (try Tool.run(arguments), try Tool.run(arguments + ["--force", "checkout=green"]))
            #expect(own.output.contains("disabled") && forced.output.contains("enabled"))
        }
    }

    @Test(arguments: [
        (["--force", "checkout=gren"], "has no variation 'gren'; did you mean 'green'?"),
        (["--force", "chekout=green"], "did you mean 'checkout=green'?"), (["--preview", "x"], "names no variation"),
    ])
    func aVariationThatIsNotThereIsNamedWithTheNearest(arguments: [String], complaint: String) throws {
        try Tool.withFile(Self.twoArms) { file in
            let run = try Tool.run(["decide", "--config", file, "--visitor", "v1"] + arguments)
            #expect(run.status == 2 && run.errors.contains(complaint))
        }
    }

    @Test(arguments: ["-", "/dev/stdin"]) func aFileMayBeStandardInputOnce(name: String) throws {
        let run = try Tool.run("decide", "--config", name, "--visitor", "v1", input: Self.twoArms)
        #expect(run.status == 0 && run.output.contains("original"))
        let twice = try Tool.run(
            "decide", "-c", name, "-v", "v1", "--attributes", name, input: #"{"plan": "pro"}"#)
        #expect(twice.status == 2 && twice.errors.contains("standard input is read for --attributes"))
    }

    @Test func javaScriptWithoutLocationsReportsMissingLocationProperties() throws {
        #expect(try decide("--semantics", "javaScript").output.contains("missingLocationProperties"))
    }

    @Test(arguments: [
        ("", "the document is empty"), (#"{"account_id": "1", "proj"#, "ends too early"), ("[]", "expected an object"),
        (#"{"error": "no such key"}"#, "the server answered with an error"), (#"{"account_id": "1"}"#, "$.project.id"),
    ])
    func anInvalidConfigEndsWithOneLine(config: String, complaint: String) throws {
        let run = try decide(config: config)
        #expect(run.status == 2)
        #expect(run.complaints.count == 1)
        #expect(run.errors.contains(complaint))
        #expect(run.output.isEmpty)
    }

    @Test func aDefectiveConfigIsWarnedAbout() throws {
        let run = try decide(config: Self.config.replacing(#""audiences": ["a"]"#, with: #""audiences": ["gone"]"#))
        #expect(run.status == 0)
        #expect(run.errors.contains("warning: $.experiences[0].audiences"))
    }

    @Test(arguments: [
        (["decide"], "--config is missing"), (["decide", "--config", "x"], "--visitor is missing"),
        (["decide", "--config", "/no/such/file", "--visitor", "v"], "no file '/no/such/file'"),
        (["decide", "--config", "/", "--visitor", "v"], "is a folder"),
        (["decide", "--config", "x", "--visitor", ""], "--visitor is empty"),
        (["decide", "--config", "x", "--visitor", "v", "--attribute", "novalue"], "not of the form KEY=TEXT"),
        (["decide", "--config", "x", "--visitor", "v", "--attributes", "[1]"], "--attributes is not a JSON object"),
        (["decide", "--config", "x", "--visitor", "v", "--semantics", "no"], "--semantics: unknown 'no'"),
        (["decide", "--config", "x", "--visitor", "v", "extra"], "unexpected 'extra'"),
        (["frobnicate"], "unknown command"), (["explain"], "'convert-sdk decide --explain' explains decisions"),
        (["keys", "--public", "--config", "x"], "--public goes with --swift"),
        (["lint", "x", "-n", "live"], "--environment goes with --sdk-key"),
        ([], "no command given"), (["help", "frobnicate"], "unknown command 'frobnicate'"),
        (["vectors"], "PATH is missing: a vector file"), (["completions", "tcsh"], "bash, zsh and fish"),
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
        #expect(try Tool.run("decide", "--config", "x", "-h").output == Tool.run("help", "decide").output)
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
