@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// What exclusions cost, which experiences are starved, and how visitors overlap.
struct SimulatedExclusionsTests {
    private static func audience(
        _ id: String, _ type: String, _ value: String, key: String = "", _ negated: Bool, isPermanent: Bool = false
    ) -> String {
        """
        {"id":"\(id)","key":"\(id)","type":"\(isPermanent ? "permanent" : "transient")",
        "rules":{"OR":[{"AND":[{"OR_WHEN":[{"rule_type":"\(type)","key":"\(key)","value":"\(value)",
        "matching":{"match_type":"equals","negated":\(negated)}}]}]}]}}
        """
    }

    private static func experience(
        _ id: Int, _ key: String, _ share: Double = 100, audiences: [String] = [], matching: String = "all",
        rest: String = ""
    ) -> String {
        let names = audiences.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"id":"\(id)","key":"\(key)","version":12\(rest),"audiences":[\(names)],
            "settings":{"matching_options":{"audiences":"\(matching)"}},"variations":[
            {"id":"\(id)1","key":"x","traffic_allocation":\(share / 2)},
            {"id":"\(id)2","key":"y","traffic_allocation":\(share / 2)}]}
            """
    }

    @Test func pairsOfExperiencesWithoutVariationsAreBounded() throws {
        let experiences = (0..<3_000).map {
            JSValue.object(Configs.experience("e\($0)", id: "\($0)", ["variations": []]))
        }
        let config = try ProjectConfig(json: Configs.data(Configs.config(["experiences": .array(experiences)])))
        let plan = SimulationPlan(config, semantics: .standard)
        #expect(plan.pairedCount == 1_414 && plan.pairStarts.count <= 1_000_000)
    }

    private static let audiences = [
        audience("pro", "generic_text_key_value", "pro", key: "plan", false),
        audience("not-a", "bucketed_into_experience_key", "a", true),
        audience("not-b", "bucketed_into_experience_key", "b", true),
        audience("only-a", "bucketed_into_experience_key", "a", false),
        audience("not-b-at-first", "bucketed_into_experience_key", "b", true, isPermanent: true),
    ]

    private static func simulation(_ experiences: String..., environment: String = "staging") throws
        -> PopulationSimulation
    {
        let config = try ProjectConfig(
            json: Data(
                """
                {"account_id":"1","project":{"id":"2"},"audiences":[\(audiences.joined(separator: ","))],
                "experiences":[\(experiences.joined(separator: ","))]}
                """.utf8))
        return PopulationSimulation(config, environment: environment)
    }

    private static let halfPro = try? AttributeSpecification(["plan": ["pro", "free"]])

    private static func report(_ simulation: PopulationSimulation, _ count: Int = inputSize(4_000, plain: 1_000)) throws
        -> SimulationReport
    {
        simulation.generate(count, seed: 5, attributes: try #require(halfPro))
    }

    @Test func anExclusionCostsTheEligibleWhomTheOtherExperienceHas() throws {
        let with = try Self.report(
            Self.simulation(
                Self.experience(8, "a", 50), Self.experience(9, "b", audiences: ["pro", "not-a"])))
        let without = try Self.report(
            Self.simulation(Self.experience(8, "a", 50), Self.experience(9, "b", audiences: ["pro"])))
        let cost = without.experiences[1].eligible - with.experiences[1].eligible
        #expect(cost > with.visitors / 5)
        #expect(with.exclusions.map(\.keptOut) == [cost] && with.exclusions.map(\.keptOutAlone) == [cost])
        #expect(with.experiences[1].eligibleWithoutExclusions == without.experiences[1].eligible)
        #expect(with.experiences[1].starvedBy == [])
    }

    @Test func twoExclusionsCostTogetherWhatBothKeepOut() throws {
        let report = try Self.report(
            Self.simulation(
                Self.experience(8, "a", 50), Self.experience(9, "b", 50),
                Self.experience(10, "c", audiences: ["not-a", "not-b"])))
        let kept = report.visitors - report.experiences[2].eligible
        let both = report.overlaps.visitors[0][1]
        #expect(report.exclusions.map(\.keptOut) == report.experiences[..<2].map(\.bucketed))
        #expect(report.exclusions.map(\.keptOutAlone) == report.experiences[..<2].map { $0.bucketed - both })
        #expect(kept == report.experiences[0].bucketed + report.experiences[1].bucketed - both)
    }

    @Test func anExperienceWhoseVisitorsAllAreTakenIsStarved() throws {
        let report = try Self.report(
            Self.simulation(
                Self.experience(8, "a"), Self.experience(9, "b"),
                Self.experience(10, "c", audiences: ["pro", "not-a", "not-b"])))
        #expect(
            report.experiences[2].eligible == 0
                && report.experiences[2].eligibleWithoutExclusions > report.visitors * 3 / 8)
        #expect(report.experiences[2].starvedBy == ["a", "b"])
        #expect(report.exclusions.map(\.keptOutAlone) == [0, 0])
    }

    @Test func anExclusionCostsNoVisitorIfAnotherAudienceSuffices() throws {
        let report = try Self.report(
            Self.simulation(
                Self.experience(8, "a"), Self.experience(9, "b", audiences: ["pro", "not-a"], matching: "any")))
        #expect(report.experiences[1].eligible > report.visitors * 3 / 8)
        #expect(report.exclusions.map(\.keptOut) == [report.visitors - report.experiences[1].eligible])
    }

    @Test func anAudienceThatLetsInOnlyOthersCostsTheRest() throws {
        let report = try Self.report(
            Self.simulation(Self.experience(8, "a", 50), Self.experience(9, "b", audiences: ["only-a"])))
        #expect(report.exclusions.map(\.keptOut) == [report.visitors - report.experiences[0].bucketed])
    }

    @Test func storedDecisionsExcludeToo() async throws {
        let simulation = try Self.simulation(
            Self.experience(9, "b", audiences: ["not-a"]), Self.experience(8, "a", 50))
        let lines = (0..<100).map { #"{"visitorId":"v\#($0)","stored":{"bucketing":{"8":"81"}}}"# + "\n" }.joined()
        let report = try await run(simulation, lines)
        #expect(report.exclusions.map(\.keptOut) == [100] && report.experiences[0].starvedBy == ["a"])
    }

    @Test func aPermanentExclusionCostsNoVisitorWithAStoredDecision() async throws {
        let simulation = try Self.simulation(
            Self.experience(7, "a"), Self.experience(8, "b"),
            Self.experience(9, "c", audiences: ["not-a", "not-b-at-first"]))
        let stored = #"{"bucketing":{"7":"71","8":"81","9":"91"}}"#
        let lines = (0..<100).map { #"{"visitorId":"v\#($0)","stored":\#(stored)}"# + "\n" }.joined()
        let report = try await run(simulation, lines)
        #expect(report.exclusions.map(\.keptOut) == [100, 0] && report.exclusions.map(\.keptOutAlone) == [100, 0])
        #expect(report.experiences[2].starvedBy == ["a"])
    }

    @Test func ifAnyAudienceSufficesEachExclusionAloneKeepsVisitorsOut() throws {
        let report = try Self.report(
            Self.simulation(
                Self.experience(7, "a"), Self.experience(8, "b"),
                Self.experience(9, "c", audiences: ["not-a", "not-b"], matching: "any")), 100)
        #expect(report.exclusions.map(\.keptOut) == [100, 100])
        #expect(report.exclusions.map(\.keptOutAlone) == [100, 100])
    }

    @Test func overlapsAreSymmetricAndHaveTheOwnVisitorsInTheDiagonal() throws {
        let report = try Self.report(
            Self.simulation(Self.experience(8, "a", 50), Self.experience(9, "none", 0), Self.experience(10, "c", 30)))
        let overlaps = report.overlaps
        #expect(overlaps.experiences == ["a", "c"])
        #expect(overlaps.visitors[0][1] == overlaps.visitors[1][0])
        #expect((0..<2).map { overlaps.visitors[$0][$0] } == [0, 2].map { report.experiences[$0].bucketed })
        #expect(overlaps.visitors[0][1] == report.experiencesPerVisitor[2])
    }

    @Test func valuesOfRulesAreToldFromGivenOnes() throws {
        let simulation = try Self.simulation(Self.experience(8, "a"), Self.experience(9, "b", audiences: ["pro"]))
        let byRules = simulation.generate(2000, seed: 5)
        #expect(byRules.experiences[1].eligible > 500)
        #expect(byRules.experiences.map(\.eligibleByRuleValues) == [0, byRules.experiences[1].eligible])
        let given = try Self.report(simulation)
        #expect(
            given.experiences[1].eligible > given.visitors * 3 / 8 && given.experiences[1].eligibleByRuleValues == 0)
    }

    @Test func anAttributeThatNoRuleReadsIsNamed() async throws {
        let simulation = try Self.simulation(Self.experience(9, "b", audiences: ["pro"]))
        let specification = try AttributeSpecification(["plann": ["pro"], "plan": ["pro"], "zzzzzzzz": [1]])
        let report = simulation.generate(50, seed: 5, attributes: specification)
        #expect(report.unreadAttributes.map(\.name) == ["plann", "zzzzzzzz"])
        #expect(report.unreadAttributes.map(\.nearest) == ["plan", nil])
        let many = (0..<150).map { "\"n\(1000 + $0)\":1" }.joined(separator: ",")
        let read = try await run(simulation, #"{"visitorId":"v","attributes":{"plan":"x",\#(many)}}"#)
        #expect(read.unreadAttributes.map(\.name) == (0..<100).map { "n\(1000 + $0)" })
    }

    /// Wherever parts of a stream end, its first ids are the ones that are remembered.
    @Test func idsAreRememberedInTheOrderOfTheStream() throws {
        let simulation = try Self.simulation(Self.experience(8, "a"))
        for length in [1, 3, 10] {
            var sum = SimulationTally(simulation.plan, idLimit: 2)
            let ids = ["a", "b", "c", "d", "a", "c", "b", "d"]
            for start in stride(from: 0, to: ids.count, by: length) {
                var part = SimulationTally(simulation.plan)
                for id in ids[start..<min(start + length, ids.count)] {
                    part.noteID(of: PopulationVisitor(visitorID: id))
                }
                sum.add(part)
            }
            #expect(sum.repeatedCount == 2, "parts of \(length)")
        }
    }

    @Test func anEnvironmentWithoutExperiencesIsSaid() throws {
        let simulation = try Self.simulation(
            Self.experience(8, "a", rest: #","environment":"production""#), environment: "prodction")
        let report = simulation.generate(50, seed: 5)
        #expect(report.environment == "prodction" && report.experiences[0].environment == "production")
        #expect(report.environmentNote?.contains("'production'") == true)
        let elsewhere = try Self.simulation(
            Self.experience(8, "a", rest: #","environment":"production""#), environment: "production")
        #expect(elsewhere.generate(50, seed: 5).environmentNote == nil)
    }

    @Test func manyHealthyExperiencesAreNotTestedAsOne() throws {
        let experiences = (1...40).map { Self.experience($0, "e\($0)") }.joined(separator: ",")
        let report = try Self.simulation(experiences).generate(500, seed: 1)
        let ratios = report.experiences.compactMap(\.ratio)
        // Alone, some of them would count as suspicious.
        #expect(ratios.count == 40 && ratios.contains { $0.p < 0.05 })
        for ratio in ratios {
            #expect(ratio.tests == 40 && ratio.adjustedP == min(1, ratio.p * 40))
            #expect(ratio.mismatch == (ratio.p < 0.001 / 40))
        }
    }

    @Test func aPlanIsMadeOfEligibleVisitorsAndShares() throws {
        let simulation = try Self.simulation(
            Self.experience(8, "a"), Self.experience(9, "b", audiences: ["pro"]), Self.experience(10, "none", 0))
        let report = try Self.report(simulation)
        let test = try #require(ConversionTest(baseline: 0.04, power: 0.8))
        var plan = ExperimentPlan(test, visitorsPerDay: 20_000)
        plan.length = 1
        let planner = try #require(report.planned(by: plan).planner)
        let (everybody, some, none) = (planner.experiences[0], planner.experiences[1], planner.experiences[2])
        #expect(everybody.visitorsPerDay == 20_000 && everybody.comparisons.count == 1)
        #expect(everybody.detectableEffect == test.detectableEffect(control: 10_000, variation: 10_000))
        #expect(everybody.days == test.days(toDetect: 0.1, control: 10_000, variation: 10_000))
        let share = report.experiences[1].eligibleShare
        #expect(some.visitorsPerDay == 20_000 * share && abs(share - 0.5) < 0.05)
        #expect((some.days ?? 0) > (everybody.days ?? 0))
        #expect(none.days == nil && none.detectableEffect == nil && none.comparisons.isEmpty)
        #expect(report.planner == nil)
    }

    private func run(_ simulation: PopulationSimulation, _ lines: String) async throws -> SimulationReport {
        try await aside {
            try simulation.run(.jsonLines, threads: 2, read: InputInPieces(lines.utf8).read)
        }
    }
}
