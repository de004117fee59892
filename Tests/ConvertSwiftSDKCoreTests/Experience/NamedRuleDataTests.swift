import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// The reference takes attributes with `name: "RuleData"` for an object that answers for itself.
struct NamedRuleDataTests {
    private func decision(_ attributes: JSObject, _ semantics: RuleSemantics) throws -> Answer<Decision> {
        let manager = try ExperienceManager(
            ["audiences": [audience("a", asking: "x")], "experiences": [experience("e", ["audiences": ["a"]])]],
            semantics)
        return manager.decide("e", attributes)
    }

    @Test(arguments: RuleSemantics.allCases) func theirNamesAreNotFoundUnderJavaScript(semantics: RuleSemantics)
        throws
    {
        let decision = try decision(["name": "RuleData", "x": "yes"], semantics)
        #expect((decision.variation == nil) == (semantics == .javaScript))
    }

    @Test(arguments: ["ruleData", "RuleData ", 1, ["RuleData"]] as [JSValue])
    func anyOtherNameIsAnAttribute(name: JSValue) throws {
        #expect(try decision(["name": name, "x": "yes"], .javaScript).variation != nil)
    }

    @Test(arguments: [RuleSemantics.javaScript, .standard])
    func theEventNamesNoSegmentsThen(semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]], semantics)
        var visitor = manager.visitor(id: "visitor", attributes: ["name": "RuleData", "country": "DE"])
        let effects = manager.selectVariation("e", for: &visitor, options: .located()).effects
        let segments: JSObject = semantics == .javaScript ? [:] : ["country": "DE"]
        #expect(
            effects.last
                == .track(.bucketing(experienceID: "id-e", variationID: "only-e"), segments: segments))
    }
}
