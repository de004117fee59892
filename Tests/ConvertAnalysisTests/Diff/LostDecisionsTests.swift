@testable import ConvertAnalysis
import ConvertECMAScript
import Testing

/// What a release does to visitors whose decision is stored, and to those whose decision is not.
struct LostDecisionsTests {
    private static func config(_ variations: [JSObject], _ changes: JSObject = [:]) -> JSObject {
        var members = changes
        members["variations"] = .array(variations.map(JSValue.object))
        return Configs.config(["experiences": [.object(Configs.experience("checkout", id: "10", members))]])
    }

    private static let ramp = [Configs.variation("101", "a", 20), Configs.variation("102", "b", 20)]

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func anotherIDOfAVariationLosesWhatIsStoredOfItsVisitors() throws {
        let new = Self.config([Self.ramp[0], Configs.variation("107", "b", 20)])
        let difference = try Self.difference(Self.config(Self.ramp), new)
        let found = difference.experiences[0]
        #expect(found.lostDecisions == [.init(variation: "b", id: "102", newID: "107")])
        #expect(found.change == .changed && found.changesAnswers && found.moved == 0)
        // Visitors that are dealt again get the same variation, unless they came under another allocation.
        #expect(found.disturbance == .assignment && !difference.headline.contains("another variation"))
        #expect(difference.headline.contains("Stored decisions are lost in checkout."))
        #expect(difference.json.contains(#""lostDecisions":[{"variation":"b","id":"102","newId":"107"}]"#))
    }

    @Test func aVariationThatIsGoneLosesWhatIsStoredOfItsVisitors() throws {
        let stopped = Self.ramp + [Configs.variation("103", "c", 0)]
        let found = try Self.difference(Self.config(stopped), Self.config(Self.ramp)).experiences[0]
        #expect(found.lostDecisions == [.init(variation: "c", id: "103", newID: nil)] && found.changesAnswers)
        // A new one, and another name, lose nothing.
        let more = try Self.difference(Self.config(Self.ramp), Self.config(stopped)).experiences[0]
        #expect(more.lostDecisions.isEmpty && !more.changesAnswers)
        let renamed = Self.config([Self.ramp[0], Configs.variation("102", "c", 20)])
        #expect(try Self.difference(Self.config(Self.ramp), renamed).experiences[0].lostDecisions.isEmpty)
    }

    @Test func anotherOrderOfVariationsLetsInTheSameVisitors() throws {
        let changes: JSObject = ["version": 12]
        let full = [Configs.variation("101", "a", 50), Configs.variation("102", "b", 50)]
        let difference = try Self.difference(Self.config(full, changes), Self.config(full.reversed(), changes))
        let found = difference.experiences[0]
        #expect(found.moved == 1 && found.storedMoved == 0 && found.disturbance == .assignment)
        #expect(!difference.headline.contains("let into"))
        #expect(
            difference.headline.contains("Visitors without a stored decision get another variation in checkout."))
    }

    @Test func aRampLetsInOtherVisitors() throws {
        let more = [Configs.variation("101", "a", 40), Configs.variation("102", "b", 40)]
        // Version 12 gives both variations bucket values that were free.
        let (old, new) = (Self.config(Self.ramp, ["version": 12]), Self.config(more, ["version": 12]))
        #expect(try Self.difference(old, new).experiences[0].disturbance == .population)
    }
}

/// Where the visitors who show a difference show it.
struct WitnessEnvironmentTests {
    private static func config(_ plan: JSValue, _ environment: JSValue, _ share: JSValue = 50) -> JSObject {
        let question = Configs.leaf("x", "equals", "one", negated: true, type: "bucketed_into_experience_key")
        let arm = Configs.variation("11", "a", share)
        return Configs.config([
            "audiences": [
                Configs.audience("5", Configs.all(Configs.leaf("plan", "equals", plan))),
                Configs.audience("6", Configs.all(question)),
            ],
            "experiences": [
                .object(
                    Configs.experience(
                        "one", id: "1",
                        ["environment": environment, "audiences": ["5"], "variations": [.object(arm)]])),
                .object(Configs.experience("two", id: "2", ["audiences": ["6"]])),
            ],
        ])
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func visitorsAreNamedWithTheEnvironmentOfTheExperience() throws {
        let found = try Self.difference(Self.config("pro", "production"), Self.config("free", "production"))
            .experiences[0]
        #expect(found.entersEnvironment == "production" && found.leavesEnvironment == "production")
        #expect(found.witnesses.map(\.label).contains("enters (environment production)"))
        let moved = try Self.difference(Self.config("pro", "staging"), Self.config("free", "production"))
        #expect(moved.experiences[0].entersEnvironment == "production")
        #expect(moved.experiences[0].leavesEnvironment == "staging")
        #expect(moved.json.contains(#""entersEnvironment":"production""#))
        let anywhere = try Self.difference(Self.config("pro", ""), Self.config("free", "")).experiences[0]
        #expect(anywhere.enters != nil && anywhere.entersEnvironment == nil)
        #expect(anywhere.witnesses.map(\.label).contains("enters"))
    }

    @Test func aVisitorWhoEntersThroughAnotherExperienceIsNamedWithItsEnvironment() throws {
        let found = try Self.difference(Self.config("pro", "production"), Self.config("free", "production"))
            .experiences[1]
        let dependence = try #require(found.dependence)
        #expect(dependence.enters != nil && dependence.entersEnvironment == "production")
        let anywhere = try Self.difference(Self.config("pro", ""), Self.config("free", "")).experiences[1].dependence
        #expect(anywhere?.enters != nil && anywhere?.entersEnvironment == nil)
    }
}
