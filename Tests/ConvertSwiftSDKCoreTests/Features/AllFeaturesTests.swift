import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct AllFeaturesTests {
    private func all(_ members: JSObject, _ semantics: RuleSemantics = .standard) throws -> [BucketedFeature] {
        let manager = try FeatureManager(members, semantics)
        var visitor = manager.visitor()
        return manager.features(for: &visitor, options: .located()).features
    }

    @Test(arguments: RuleSemantics.allCases)
    func everyExperienceIsDecided(semantics: RuleSemantics) throws {
        let manager = try FeatureManager(
            ["features": [feature("7", "new")], "experiences": [experience("plain"), carrier("a", of: ["7"])]],
            semantics)
        var visitor = manager.visitor()
        let effects = manager.features(for: &visitor, options: .located()).effects
        #expect(effects.storedExperiences == ["id-plain", "id-a"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func underJavaScriptANumberedFeatureThatIsCarriedIsListedOnceMore(semantics: RuleSemantics) throws {
        let members: JSObject = ["features": [feature(7, "new")], "experiences": [carrier("x", of: [7])]]
        let features = try all(members, semantics)
        #expect(features.map(\.status) == (semantics == .javaScript ? [.enabled, .disabled] : [.enabled]))
        #expect(features.first?.id == "7" && features.last?.id == "7")
    }

    @Test(arguments: RuleSemantics.allCases)
    func aFeatureWhoseIDIsABooleanIsListedTwiceUnderJavaScript(semantics: RuleSemantics) throws {
        let members: JSObject = ["features": [feature(true, "new")], "experiences": [carrier("x", of: [true])]]
        let statuses = try all(members, semantics).map(\.status)
        #expect(statuses == (semantics == .javaScript ? [.enabled, .disabled] : [.enabled]))
    }

    @Test func carriedFeaturesComeFirstAndTheOthersInKeyOrder() throws {
        let ids: [JSValue] = ["b", "10", "010", "9", "a", "4294967295", "-1"]
        let features = try all([
            "features": .array(ids.map { feature($0, "key-\($0.stringValue ?? "")") }),
            "experiences": [carrier("x", of: ["a"])],
        ])
        #expect(features.map(\.id) == ["a", "9", "10", "b", "010", "4294967295", "-1"])
        #expect(features.map(\.status) == [.enabled] + [BucketedFeature.Status](repeating: .disabled, count: 6))
    }

    @Test func theLastOfTwoDeclarationsWithOneIDCounts() throws {
        let members: JSObject = ["features": [feature("7", "first"), feature("8", "b"), feature(7, "last")]]
        #expect(try all(members).map(\.key) == ["last", "b"])
        let carried = members.deepMerging(["experiences": [carrier("x", of: ["7"])]])
        #expect(try all(carried).map(\.key) == ["last", "b"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func aCarriedFeatureThatIsNotDeclaredHasNoKey(semantics: RuleSemantics) throws {
        let variables: JSValue = ["x": "1"]
        let features = try all(
            ["features": [feature("7", "new")], "experiences": [carrier("a", of: ["gone"], variables)]], semantics)
        #expect(features.map(\.id) == ["gone", "7"])
        #expect(features.map(\.key) == [nil, "new"])
        #expect(features.map(\.status) == [.enabled, .disabled])
        #expect(features.first?.variables == variables)
    }

    @Test func featuresOfOneVariationKeepTheirOrder() throws {
        let features = try all([
            "features": [feature("7", "new"), feature("8", "other")],
            "experiences": [carrier("a", of: ["8", "7", "gone"])],
        ])
        #expect(features.map(\.id) == ["8", "7", "gone"])
    }

    @Test func aFeatureIsThereOncePerCarrierAndNeverDisabledToo() throws {
        let features = try all([
            "features": [feature("7", "new")], "experiences": [carrier("a", of: ["7"]), carrier("b", of: ["7"])],
        ])
        #expect(features.map(\.experienceKey) == ["a", "b"])
    }
}
