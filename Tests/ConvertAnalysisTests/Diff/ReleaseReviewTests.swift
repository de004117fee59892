import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

@testable import ConvertAnalysis

/// What a reviewer must know of a release before it goes out.
struct ReleaseReviewTests {
    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    /// An experiment whose first variation carries a feature.
    private static func flow(size: JSValue, of allocation: JSValue = 50) -> JSObject {
        let changes: JSValue = [
            ["type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["size": size]]]
        ]
        let variations = [
            Configs.variation("11", "a", allocation, ["changes": changes]), Configs.variation("12", "b", 50),
        ]
        return Configs.config([
            "features": [["id": "7", "key": "flow", "variables": [["key": "size", "type": "integer"]]]],
            "experiences": [
                .object(Configs.experience("one", id: "1", ["variations": .array(variations.map { .object($0) })]))
            ],
        ])
    }

    @Test func aVariationThatCarriesOtherVariablesDisturbsItsExperiment() throws {
        let difference = try Self.difference(Self.flow(size: 20), Self.flow(size: 30))
        #expect(difference.disturbed.map(\.disturbance) == [.treatment])
        #expect(difference.headline.contains("Variations carry other features or variables in one: do not pool data"))
        #expect(difference.json.contains(#""disturbance":"treatment""#))
        // A variation without visitors treats none of them.
        #expect(try Self.difference(Self.flow(size: 20, of: 0), Self.flow(size: 30, of: 0)).disturbed.isEmpty)
    }

    /// An experience, and another one that keeps out its visitors.
    private static func exclusion(_ share: JSValue, isAdded: Bool, reads: Bool = false) -> JSObject {
        let question = Configs.leaf("x", "equals", "one", negated: true, type: "bucketed_into_experience_key")
        let one = Configs.experience("one", id: "1", ["variations": [.object(Configs.variation("11", "a", share))]])
        let audiences: [JSValue] = reads ? ["5", "6"] : ["5"]
        let two = Configs.experience("two", id: "2", ["audiences": .array(audiences), "settings": all])
        return Configs.config([
            "audiences": [
                Configs.audience("5", Configs.all(question)),
                Configs.audience("6", Configs.all(Configs.leaf("plan", "equals", "pro"))),
            ],
            "experiences": .array((isAdded ? [one, two] : [one]).map { .object($0) }),
        ])
    }

    private static let all: JSValue = ["matching_options": ["audiences": "all", "locations": "any"]]

    private static func added(_ share: JSValue, reads: Bool = false) throws -> ConfigDifference.Experience {
        let (old, new) = (exclusion(share, isAdded: false), exclusion(share, isAdded: true, reads: reads))
        return try difference(old, new).experiences[1]
    }

    @Test func anAddedExperienceSaysWhichVisitorsOthersLeaveIt() throws {
        let found = try Self.added(60)
        #expect(found.dependence?.dependsOn == ["one"] && found.dependence?.admittedAfter == 0.4)
        #expect(found.moved == 0.4 && found.isEntered && found.enters == found.dependence?.enters)
    }

    @Test func anAddedExperienceWhoseVisitorsAnotherOneTakesIsEnteredByNone() throws {
        for reads in [false, true] {
            // With attributes too, no share is known.
            let found = try Self.added(100, reads: reads)
            #expect(found.moved == 0 && found.audience == .equivalent && found.enters == nil && !found.isEntered)
            #expect(found.obstacle == "its audiences ask about one, which leave it no new visitor")
        }
    }

    @Test func visitorsWhoLoseAnExperienceStayExcludedByItsStoredDecision() throws {
        let old = Self.exclusion(60, isAdded: true)
        var archived = old
        archived["archived_experiences"] = ["1"]
        let found = try Self.difference(old, archived).experiences[0]
        #expect(found.excludedFrom == ["two"])
        #expect(found.facts.contains { $0.hasSuffix("stored decision, which still excludes them from two") })
        // A stored decision is kept where only the allocation is less.
        #expect(try Self.difference(old, Self.exclusion(20, isAdded: true)).experiences[0].excludedFrom.isEmpty)
        var removed = old
        removed["experiences"] = .array((old["experiences"]?.arrayValue ?? []).suffix(1) + [])
        #expect(try Self.difference(old, removed).experiences.last?.excludedFrom == [])
    }

    @Test func theShareOfAnAddedExperienceIsOfTheVisitorsWhoMeetItsOwnRules() throws {
        let found = try Self.added(60, reads: true)
        let whom = "the new visitors who meet its rules (apart from those about one)"
        #expect(found.moved == 0.4 && found.newVisitors == whom)
        #expect(found.enters?.attributes["plan"] == "pro")
    }

    /// An experiment with an audience of one plan, or of no visitor.
    private static func reading(isClosed: Bool, type: JSValue = "transient") -> JSObject {
        let plan = Configs.leaf("plan", "equals", "pro"), other = Configs.leaf("plan", "equals", "pro", negated: true)
        let rules = isClosed ? Configs.all(plan, other) : Configs.all(plan)
        return Configs.audienceConfig(rules, ["audiences": [Configs.audience("5", rules, ["type": type])]])
    }

    @Test func anExperimentWhoseRuleNoneOfItsVisitorsMeetsAnyMoreExchangesThem() throws {
        func config(_ plans: JSValue, _ share: JSValue) -> JSObject {
            var config = Self.exclusion(share, isAdded: true, reads: true)
            config["audiences"] = .array(
                (config["audiences"]?.arrayValue ?? []).prefix(1) + [
                    Configs.audience("6", Configs.all(Configs.leaf("plan", "isIn", plans)))
                ])
            return config
        }
        let difference = try Self.difference(config("pro|team", 10), config("pro, team", 0))
        let found = difference.experiences[1]
        #expect(found.isExchanged && found.disturbance == .population && found.audience == .changed)
        // A tenth was kept out before.
        #expect(found.moved == 0.9 && found.storedMoved == 1 && found.moves.allSatisfy { $0.to == nil })
        #expect(difference.headline.contains("New visitors are let into two, but none that were let in before."))
        #expect(difference.json.contains(#""exchanged":true"#))
        let wider = try Self.difference(config("pro|team", 10), config("pro|free", 0)).experiences[1]
        #expect(wider.audience == .changed && !wider.isExchanged)
    }

    @Test func anExperienceThatEndsThroughItsRulesMovesAllItsVisitors() throws {
        let difference = try Self.difference(Self.reading(isClosed: false), Self.reading(isClosed: true))
        let found = difference.experiences[0]
        #expect(found.disturbance == .ended && found.moved == 1 && found.storedMoved == 1)
        #expect(found.newVisitors == "the new visitors who met its rules")
        #expect(difference.headline.hasSuffix("Ended: checkout."))
    }

    @Test func anExperienceThatEndsForNewVisitorsIsKeptByStoredOnes() throws {
        let (old, new) = (
            Self.reading(isClosed: false, type: "permanent"), Self.reading(isClosed: true, type: "permanent")
        )
        let difference = try Self.difference(old, new)
        #expect(difference.experiences[0].moved == 1 && difference.experiences[0].storedMoved == 0)
        #expect(
            difference.headline.hasSuffix(
                "Ended: checkout for new visitors (visitors with a stored decision keep their variation)."))
        let stored = VisitorState(record: ["bucketing": ["10": "101"]])
        let visitors = (0..<3).map { number in
            PopulationVisitor(
                visitorID: "v\(number)", attributes: ["plan": "pro"], stored: number < 2 ? stored : VisitorState())
        }
        let counted = try ConfigDiff().difference(
            from: Configs.data(old), to: Configs.data(new), environment: "staging", visitors: visitors)
        #expect(counted.experiences[0].population?.kept == 2 && counted.experiences[0].population?.moved == 1)
        #expect(counted.headline.contains("(2 visitors with a stored decision keep their variation)"))
    }

    @Test func theFeaturesThatNoLineOfALogAsksForAreNotCounted() throws {
        let (old, new) = (
            try ProjectConfig(json: Configs.data(Self.flow(size: 20))),
            try ProjectConfig(json: Configs.data(Self.flow(size: 30)))
        )
        func population(_ line: String) throws -> ConfigDifference.Feature.Population? {
            let found = try ConfigDiff().difference(
                from: old, to: new, over: .log(environment: nil), threads: 1, read: InputInPieces(line.utf8).read)
            return found.difference.features.first?.population
        }
        let experiences = #"{"visitorId":"v","call":{"all":true},"decisions":{"one":"a"}}"#
        #expect(try population(experiences) == nil)
        let features = #"{"visitorId":"v","call":{"features":true},"features":{}}"#
        #expect(try population(features) != nil)
    }
}
