import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Which options of a call reach the experiences that carry a feature, and what ends the search.
struct FeatureOptionTests {
    /// An experience whose other arm, which takes no visitor, carries the feature too.
    private static let twoArms: JSObject = [
        "features": [feature("7", "new")],
        "experiences": [
            experience(
                "e",
                [
                    "variations": [
                        ["id": "a", "traffic_allocation": 100, "changes": changes(carrying: ["7"], ["arm": "a"])],
                        ["id": "b", "traffic_allocation": 0, "changes": changes(carrying: ["7"], ["arm": "b"])],
                    ]
                ])
        ],
    ]

    @Test(arguments: RuleSemantics.allCases)
    func aForcedVariationDoesNotReachThem(semantics: RuleSemantics) throws {
        let manager = try FeatureManager(Self.twoArms, semantics)
        let byID = manager.feature("new") { $0.forcedVariationID = "b" }
        let byName = manager.feature("new") { $0.forcedVariation = "b" }
        #expect((byID.features + byName.features).map { $0["arm"] } == ["a", "a"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func underJavaScriptIgnoredLocationsDoNotReachThem(semantics: RuleSemantics) throws {
        let found = try FeatureManager(Self.twoArms, semantics).feature("new") { options in
            options.locationProperties = nil
            options.ignoresLocationProperties = true
        }
        #expect(found.features.map(\.status) == [semantics == .javaScript ? .disabled : .enabled])
    }

    @Test(arguments: RuleSemantics.allCases)
    func underJavaScriptTrackingStaysOn(semantics: RuleSemantics) throws {
        let found = try FeatureManager(Self.twoArms, semantics).feature("new") { $0.isTrackingEnabled = false }
        #expect(found.effects.trackedExperiences == (semantics == .javaScript ? ["id-e"] : []))
        #expect(found.effects.storedExperiences == ["id-e"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func visitorPropertiesEnvironmentAndStorageReachThem(semantics: RuleSemantics) throws {
        let manager = try FeatureManager(
            [
                "features": [feature("7", "new")], "audiences": [audience("a", asking: "x")],
                "experiences": [carrier("e", of: ["7"], nil, ["audiences": ["a"], "environment": "live"])],
            ], semantics)
        let found = manager.feature("new") { options in
            options.visitorProperties = ["x": "yes"]
            options.environment = "live"
            options.isStorageEnabled = false
        }
        #expect(found.features.map(\.status) == [.enabled])
        #expect(found.effects.storedExperiences == [])
    }

    /// Rule data that answers nothing.
    private struct Silent: RuleData {
        let answer: RuleDataAnswer

        func answer(for condition: RuleCondition) -> RuleDataAnswer { answer }
    }

    private static let guarded: JSObject = [
        "features": [feature("7", "new")], "audiences": [audience("a", asking: "x")],
        "experiences": [
            carrier("free", of: ["7"]), carrier("e", of: ["7"], nil, ["audiences": ["a"]]), carrier("last", of: ["7"]),
        ],
    ]

    @Test(
        arguments: [(.needMoreData, .needMoreData), (.noDataFound, .noDataFound)]
            as [(RuleDataAnswer, Decision.Reason)],
        RuleSemantics.allCases)
    func missingRuleDataIsTheAnswer(answer: (data: RuleDataAnswer, reason: Decision.Reason), semantics: RuleSemantics)
        throws
    {
        let manager = try FeatureManager(Self.guarded, semantics)
        var visitor = manager.visitor()
        let options = DecisionOptions.located { $0.visitorData = Silent(answer: answer.data) }
        let one = manager.feature("new", for: &visitor, options: options)
        let all = manager.features(for: &visitor, options: options)
        #expect([one.reason, all.reason] == [answer.reason, answer.reason])
        #expect(one.features + all.features == [])
        #expect(one.effects.storedExperiences == ["id-free", "id-last"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func withoutDataTheFirstExperienceIsTheAnswer(semantics: RuleSemantics) throws {
        let manager = try FeatureManager(
            [
                "features": [feature("7", "new")],
                "audiences": [audience("a", asking: "x"), audience("b", asking: "y")],
                "experiences": [
                    carrier("e", of: ["7"], nil, ["audiences": ["a"]]),
                    carrier("f", of: ["7"], nil, ["audiences": ["b"]]),
                ],
            ], semantics)
        let data = RuleDataDecisionTests.ByKey(answers: ["x": .noDataFound, "y": .needMoreData])
        #expect(manager.feature("new") { $0.visitorData = data }.reason == .noDataFound)
    }

    @Test(arguments: RuleSemantics.allCases)
    func aReferenceErrorEndsTheSearchUnderJavaScriptOnly(semantics: RuleSemantics) throws {
        var broken = Self.guarded
        broken["audiences"] = [["id": "a", "rules": ["OR": [.null]]]]
        let found = try FeatureManager(broken, semantics).feature("new")
        let throwing = semantics == .javaScript
        #expect(found.reason == (throwing ? .malformedRules : nil))
        #expect(found.features.map(\.experienceKey) == (throwing ? [] : ["free", "last"]))
        #expect(found.effects.storedExperiences == (throwing ? ["id-free"] : ["id-free", "id-last"]))
    }

    @Test(arguments: RuleSemantics.allCases)
    func aPreviewTurnsItsFeaturesOnButUnderJavaScript(semantics: RuleSemantics) throws {
        let manager = try FeatureManager(Self.twoArms, semantics)
        var visitor = manager.visitor()
        manager.experiences.setPreview(experienceID: "id-e", variationID: "b", for: &visitor)
        let one = manager.feature("new", for: &visitor, options: .located())
        let all = manager.features(for: &visitor, options: .located())
        let arm: JSValue = semantics == .javaScript ? "a" : "b"
        #expect((one.features + all.features).map { $0["arm"] } == [arm, arm])
        #expect(one.effects + all.effects == [])
    }

    @Test func onlyThePreviewedOfTwoExperiencesWithOneKeyCarriesItsFeatures() throws {
        let manager = try FeatureManager([
            "features": [feature("7", "new")],
            "experiences": [carrier("e", of: ["7"]), carrier("f", of: ["7"], nil, ["id": "second", "key": "e"])],
        ])
        var visitor = manager.visitor()
        manager.experiences.setPreview(experienceID: "second", variationID: "only-f", for: &visitor)
        let found = manager.feature("new", for: &visitor, options: .located())
        #expect(found.features.map(\.experienceID) == ["second"])
    }

    @Test func aPreviewDoesNotCountWhereItsExperienceIsNotAskedFor() throws {
        let manager = try FeatureManager(Self.twoArms)
        var visitor = manager.visitor()
        manager.experiences.setPreview(experienceID: "id-e", variationID: "b", for: &visitor)
        let found = manager.feature("new", for: &visitor, options: .located(), experienceKeys: ["other"])
        #expect(found.features.map(\.status) == [.disabled])
    }
}
