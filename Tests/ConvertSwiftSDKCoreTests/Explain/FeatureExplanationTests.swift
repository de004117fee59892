import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// The explanation of a feature agrees with the visitor's feature.
struct FeatureExplanationTests {
    private func explain(
        _ experiences: [JSValue], _ audiences: JSValue = [], visitorID: String = "visitor",
        _ change: (inout DecisionOptions) -> Void = { _ in }
    ) throws -> FeatureExplanation {
        let manager = try FeatureManager([
            "features": [feature("7", "new")], "audiences": audiences, "experiences": .array(experiences),
        ])
        let visitor = manager.experiences.visitor(id: visitorID)
        return manager.explain("new", for: visitor, options: .located(change))
    }

    @Test func aCarrierIsExplainedAfterTheDecisionsBeforeIt() throws {
        let exclusion = leaf(nil, "equals", "a", negated: true, type: "bucketed_into_experience_key")
        let explanation = try explain(
            [carrier("a", of: ["7"]), carrier("b", of: ["7"], nil, ["audiences": ["not-in-a"]])],
            [["id": "not-in-a", "rules": rules([exclusion])]])
        #expect(explanation.carriers.map(\.explanation.reason) == [nil, .audienceNotMatched])
    }

    /// An experience whose arm `a` everybody is bucketed into, and whose other one is `b`.
    private func twoArms(a: JSValue, b: JSValue) -> JSValue {
        let arms: JSValue = [
            ["id": "a", "traffic_allocation": 100, "changes": a], ["id": "b", "traffic_allocation": 0, "changes": b],
        ]
        return experience("e", ["variations": arms])
    }

    @Test func aForcedVariationDoesNotReachTheCarriers() throws {
        let arms = twoArms(a: [], b: changes(carrying: ["7"]))
        let explanation = try explain([arms]) { $0.forcedVariationID = "b" }
        #expect(explanation.carriers.map(\.explanation.variation) == ["a"])
    }

    @Test func onlyChangesThatCarryFeaturesAreNamed() throws {
        let arms = twoArms(a: changes(carrying: ["7"]), b: [["type": "customCode", "data": ["feature_id": "7"]]])
        #expect(try explain([arms]).carriers.map(\.variations) == [["a"]])
    }

    @Test func aMissingFeatureHasAReasonEvenWithoutAnID() throws {
        let explanation = try explain([carrier("a", of: ["7"])], visitorID: "")
        #expect(explanation.status == .disabled)
        #expect(explanation.reason == .notGiven)
    }
}
