import Foundation
import Testing

struct SimulateCommandTests {
    private func simulate(_ arguments: String..., input: String = "") throws -> Tool.Run {
        try Tool.withFile(DecideCommandTests.config) { file in
            try Tool.run(["simulate", "--config", file] + arguments, input: input)
        }
    }

    @Test func generatedVisitorsAreCounted() throws {
        let run = try simulate("--generate", "500", "--seed", "3")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.hasPrefix("500 visitors, generated from seed 3\n"))
        #expect(run.output.contains("audience pro:"))
        #expect(try simulate("--generate", "500", "--seed", "3", "--threads", "3").output == run.output)
        #expect(try simulate("--generate", "500", "--seed", "4").output != run.output)
    }

    @Test func aFileIsSimulated() throws {
        let visitors = #"{"visitorId":"v1","attributes":{"plan":"pro"}}"# + "\n" + #"{"visitorId":"v2"}"# + "\n"
        let run = try simulate("--visitors", "-", "--json", input: visitors)
        #expect(run.status == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(report["visitors"] as? Int == 2)
        let experience = try #require((report["experiences"] as? [[String: Any]])?.first)
        #expect(experience["eligible"] as? Int == 1)
        #expect(experience["reasons"] as? [String: Int] == ["audienceNotMatched": 1])
        let bad = try simulate("--visitors", "-", input: visitors + "[]\n")
        #expect(bad.status == 1 && bad.errors.contains("1 records are not valid visitors"))
        #expect(bad.errors.contains("record 3: "))
    }

    @Test func theTablesOfDependentPairsAreFewAndFitALine() throws {
        let experiences = (0..<10).map { number in
            let variations = (0..<3).map { arm in
                #"{"id":"\#(number)\#(arm)","key":"variation-\#(arm)-with-a-sticky-summary","traffic_allocation":33}"#
            }
            return #"{"id":"1\#(number)","key":"checkout-payment-step-redesign-with-wallets-\#(number)","#
                + #""version":12,"variations":[\#(variations.joined(separator: ","))]}"#
        }
        let config = #"{"account_id":"1","project":{"id":"2"},"experiences":[\#(experiences.joined(separator: ","))]}"#
        // Nine visitors, each of them many times, so that their variations depend on each other.
        let visitors = (0..<2_000).map { #"{"visitorId":"v\#($0 % 9)"}"# + "\n" }.joined()
        let run = try Tool.withFile(config) {
            try Tool.run("simulate", "--config", $0, "--visitors", "-", input: visitors)
        }
        let part = run.output.components(separatedBy: "\n\n").first { $0.hasPrefix("Independence") } ?? ""
        let lines = part.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("  depend: ") } == 20)
        #expect(lines.count { $0.hasPrefix("    FIRST") } == 5 && part.contains("more dependent pairs"))
        #expect(lines.filter { $0.hasPrefix("    ") }.allSatisfy { $0.count <= 80 }, "\(part)")
    }

    /// Everybody gets one of two variations.
    private static let halves = """
        {"account_id": "1", "project": {"id": "2"}, "experiences": [{"id": "9", "key": "checkout", "version": 11,
        "variations": [{"id": "91", "key": "a", "traffic_allocation": 50},
        {"id": "92", "key": "b", "traffic_allocation": 50}]}]}
        """

    @Test func storedDecisionsAreNotTestedAgainstTheShares() throws {
        let visitors = (0..<100).map { #"{"visitorId":"v\#($0)","stored":{"bucketing":{"9":"91"}}}"# }
        try Tool.withFile(Self.halves) { config in
            let run = try Tool.run(
                "simulate", "--config", config, "--visitors", "-", input: visitors.joined(separator: "\n"))
            #expect(run.status == 0 && run.output.contains("100 keep stored decisions"), "\(run.output)")
        }
    }

    @Test func storedDecisionsMakeNoExperiencesDependOnEachOther() throws {
        let cart =
            #"{"id": "8", "key": "cart", "version": 11, "variations": ["#
            + #"{"id": "81", "key": "a", "traffic_allocation": 50}, {"id": "82", "key": "b", "traffic_allocation": 50}"#
        let second = Self.halves.replacing("]}]}", with: "]}, \(cart)]}]}")
        let visitors = (0..<200).map { number in
            let arm = number % 2 + 1
            return #"{"visitorId":"v\#(number)","stored":{"bucketing":{"9":"9\#(arm)","8":"8\#(arm)"}}}"#
        }
        try Tool.withFile(second) { config in
            let run = try Tool.run(
                "simulate", "--config", config, "--visitors", "-", "--json", input: visitors.joined(separator: "\n"))
            #expect(run.status == 0 && !run.output.contains(#""isDependent":true"#), "\(run.output)")
        }
    }

    @Test func visitorsOfOneIDAreCounted() throws {
        let visitors = String(repeating: #"{"visitorId":"same"}"# + "\n", count: 100)
        try Tool.withFile(Self.halves) { config in
            let run = try Tool.run("simulate", "--config", config, "--visitors", "-", input: visitors)
            #expect(run.output.contains("99 visitors have the id of an earlier one"))
        }
    }

    @Test func aPlanIsPrinted() throws {
        let run = try simulate(
            "--generate", "500", "--baseline", "4%", "--per-day", "1000", "--days", "7", "--effect", "5%")
        #expect(run.status == 0)
        #expect(run.output.contains("baseline 4 %, power 80 %, significance 5 %, 1000 new visitors a day"))
        #expect(run.output.contains("EFFECT FOUND IN 7 DAYS") && run.output.contains("DAYS FOR +5 %"))
        let json = try simulate("--generate", "500", "--baseline", "0.04", "--per-day", "1000", "--json").output
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let planner = try #require(report["planner"] as? [String: Any])
        #expect(planner["power"] as? Double == 0.8 && planner["effect"] as? Double == 0.1)
        let experience = try #require((planner["experiences"] as? [[String: Any]])?.first)
        #expect(experience["key"] as? String == "checkout")
    }

    @Test func rulesThatTheGeneratorCannotMeetAreNamed() throws {
        let config = DecideCommandTests.config.replacing(
            #""match_type": "equals""#, with: #""match_type": "regexMatches""#
        ).replacing(#""value": "pro""#, with: #""value": "^(?!.*bot)Mozilla/[45].*Safari""#)
        try Tool.withFile(config) { file in
            let run = try Tool.run("simulate", "--config", file, "--generate", "50")
            #expect(run.output.contains("no generated visitor meets its rules: give values with --attributes"))
        }
    }

    @Test func unusedAttributesAreNamed() throws {
        let run = try simulate("--generate", "50", "--attributes", #"{"plann": ["pro"]}"#)
        #expect(run.output.contains("no rule reads the attribute 'plann'; did you mean 'plan'?"))
        #expect(run.output.contains("* of them only by values of rules"))
    }

    @Test func badUsageIsReported() throws {
        #expect(try simulate("--generate", "9", "--power", "80%").errors.contains("--power goes with --baseline"))
        #expect(try simulate("--generate", "9", "--baseline", "4%").errors.contains("--per-day is missing"))
        #expect(try simulate("--generate", "9", "--baseline", "4").errors.contains("'4' is not a share"))
        #expect(
            try simulate("--generate", "9", "--baseline", "4%", "--per-day", "9", "--power", "1%").errors
                .contains("--power must be above --significance"))
        #expect(try simulate().errors.contains("--generate is missing"))
        #expect(try simulate("--generate", "x").errors.contains("not a whole number"))
        #expect(try simulate("--generate", "9", "--seed", "-1").errors.contains("--seed"))
        #expect(try simulate("--generate", "9", "--visitors", "f").errors.contains("exclude each other"))
        #expect(try simulate("--visitors", "f", "--seed", "1").errors.contains("--seed goes with --generate"))
        #expect(try simulate("--generate", "9", "--attributes", #"{"a": 1}"#).errors.contains("attribute 'a'"))
    }
}
