import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct FeatureTests {
    /// Two experiences that carry `new`, one that carries `other`, and one that carries nothing.
    private static let project: JSObject = [
        "features": [feature("7", "new"), feature("8", "other"), feature("9", "unused")],
        "experiences": [
            experience("plain"), carrier("a", of: ["7"], ["x": 1]), carrier("b", of: ["8"]),
            carrier("c", of: ["7"], ["x": 2]),
        ],
    ]

    @Test(
        arguments: [
            (.javaScript, ["id-plain", "id-a", "id-b", "id-c"]), (.standard, ["id-a", "id-c"]),
            (.flat, ["id-a", "id-c"]),
        ] as [(RuleSemantics, [String])])
    func askingForOneFeatureDecides(semantics: RuleSemantics, decided: [String]) throws {
        let manager = try FeatureManager(Self.project, semantics)
        var visitor = manager.visitor()
        let effects = manager.feature("new", for: &visitor, options: .located()).effects
        #expect(effects.storedExperiences == decided)
        #expect(effects.trackedExperiences == decided)
        #expect(visitor.state.bucketing?.map(\.key.name) == decided)
    }

    @Test(arguments: RuleSemantics.allCases)
    func severalCarriersAnswerInConfigOrder(semantics: RuleSemantics) throws {
        let features = try FeatureManager(Self.project, semantics).feature("new").features
        #expect(features.map(\.experienceKey) == ["a", "c"])
        #expect(features.map(\.experienceID) == ["id-a", "id-c"])
        #expect(features.map { $0["x"] } == [1, 2])
        #expect(features.allSatisfy { $0.id == "7" && $0.key == "new" && $0.status == .enabled })
    }

    @Test(arguments: RuleSemantics.allCases)
    func aFeatureThatNoVariationCarriesIsDisabledOnce(semantics: RuleSemantics) throws {
        let found = try FeatureManager(Self.project, semantics).feature("unused")
        #expect(found.features.map(\.id) == ["9"])
        #expect(found.features.first?.status == .disabled)
        #expect(found.features.first?.experienceKey == nil)
        #expect(found.features.first?.variables == nil)
        #expect(found.effects.storedExperiences.count == (semantics == .javaScript ? 4 : 0))
    }

    @Test(arguments: [.null, 5, nil] as [JSValue?]) func aKeyThatIsNoTextEnablesNothing(key: JSValue?) throws {
        var declaration: JSObject = ["id": "7", "variables": []]
        declaration["key"] = key
        let members: JSObject = ["features": [.object(declaration)], "experiences": [carrier("a", of: ["7"])]]
        let found = try FeatureManager(members).feature(key.map { ECMAScript.toString($0) } ?? "undefined")
        #expect(found.features.map(\.status) == [.disabled])
        #expect(found.features.first?.id == "7")
        #expect(found.effects.storedExperiences == ["id-a"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func anUndeclaredFeatureHasNoIDAndDecidesNothing(semantics: RuleSemantics) throws {
        let manager = try FeatureManager(Self.project, semantics)
        var visitor = manager.visitor()
        let found = manager.feature("gone", for: &visitor, options: .located())
        #expect(found.features.map(\.key) == ["gone"])
        #expect(found.features.first?.id == nil)
        #expect(found.features.first?.status == .disabled)
        #expect(found.effects == [])
        #expect(visitor.state == VisitorState())
    }

    @Test func descriptionsAndDumpsShowTheAnswerAndNotTheProject() throws {
        let manager = try ExperienceManager(Self.project)
        var visitor = manager.visitor(id: "visitor")
        let variation = try #require(manager.selectVariation("a", for: &visitor, options: .located()).variation)
        let features = FeatureManager(experiences: manager)
        let feature = try #require(features.feature("new", for: &visitor, options: .located()).features.first)
        #expect("\(variation)" == "BucketedVariation(experience: a, variation: only-a, bucketed)")
        #expect("\(feature)" == "BucketedFeature(new, enabled, experience: a)")
        var shown = String(reflecting: [variation]) + String(reflecting: [feature])
        dump(variation, to: &shown)
        dump(feature, to: &shown)
        #expect(shown.contains("only-a") && shown.contains("\"x\"") && !shown.contains("unused"))
    }

    @Test func featureKeysAreComparedByCodeUnits() throws {
        let manager = try FeatureManager(["features": [feature("7", "caf\u{e9}")]])
        #expect(manager.feature("cafe\u{301}").features.first?.id == nil)
        #expect(manager.feature("caf\u{e9}").features.first?.id == "7")
    }

    @Test(arguments: RuleSemantics.allCases)
    func onlyTheNamedExperiencesAreLookedAt(semantics: RuleSemantics) throws {
        let manager = try FeatureManager(Self.project, semantics)
        var visitor = manager.visitor()
        let found = manager.feature("new", for: &visitor, options: .located(), experienceKeys: ["c", "gone", "c"])
        #expect(found.features.map(\.experienceKey) == ["c"])
        #expect(visitor.state.bucketing == ["id-c": "only-c"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func anExperienceWhoseKeyIsANumberIsNotNamedByItsText(semantics: RuleSemantics) throws {
        let members: JSObject = [
            "features": [feature("7", "new")], "experiences": [carrier("a", of: ["7"], nil, ["key": 5])],
        ]
        let manager = try FeatureManager(members, semantics)
        var visitor = manager.visitor()
        let found = manager.feature("new", for: &visitor, options: .located(), experienceKeys: ["5"])
        #expect(found.features.map(\.status) == [.disabled])
    }

    @Test func noNamesMeanAllExperiences() throws {
        let manager = try FeatureManager(Self.project)
        var visitor = manager.visitor()
        let found = manager.feature("new", for: &visitor, options: .located(), experienceKeys: [])
        #expect(found.features.map(\.experienceKey) == ["a", "c"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func aFeatureCarriedTwiceByOneVariationAnswersTwice(semantics: RuleSemantics) throws {
        let members: JSObject = ["features": [feature(7, "new")], "experiences": [carrier("a", of: [7, "7", "8"])]]
        #expect(try FeatureManager(members, semantics).feature("new").features.map(\.id) == ["7", "7"])
    }

    @Test(
        arguments: [
            ["type": "richStructure", "data": ["feature_id": "7"]], ["type": "fullStackFeature"],
            ["data": ["feature_id": "7"]], ["type": "fullStackFeature", "data": [:]],
            ["type": "fullStackFeature", "data": ["feature_id": ["7"]]],
            ["type": "fullStackFeature", "data": ["feature_id": ""]], "fullStackFeature", .null,
        ] as [JSValue])
    func aChangeOfAnotherShapeCarriesNothing(change: JSValue) throws {
        let only: JSValue = ["id": "v", "traffic_allocation": 100, "changes": [change]]
        let members: JSObject = [
            "features": [feature("7", "new")], "experiences": [experience("a", ["variations": [only]])],
        ]
        let found = try FeatureManager(members, .javaScript).feature("new")
        #expect(found.features.map(\.status) == [.disabled])
        #expect(found.effects.storedExperiences == ["id-a"])
    }

    @Test func anEmptyVisitorIDHasNoFeatures() throws {
        let manager = try FeatureManager(Self.project)
        var visitor = manager.experiences.visitor(id: "")
        let one = manager.feature("new", for: &visitor)
        let all = manager.features(for: &visitor)
        #expect([one.reason, all.reason] == [.missingVisitorID, .missingVisitorID])
        #expect(one.features + all.features == [])
    }

    @Test func featuresThatDifferInAVariableAreNotEqual() {
        let features = [1, 1, 2].map { BucketedFeature(key: "f", variables: ["x": .integer($0)]) }
        #expect(features[0] == features[1])
        #expect(features[0] != features[2])
    }

    @Test(arguments: RuleSemantics.allCases)
    func everyDeclarationWithTheKeyIsFound(semantics: RuleSemantics) throws {
        let members: JSObject = [
            "features": [feature("7", "new"), feature("8", "new")], "experiences": [carrier("a", of: ["8", "7"])],
        ]
        #expect(try FeatureManager(members, semantics).feature("new").features.map(\.id) == ["8", "7"])
    }
}
