import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// What the semantics promise about each other.
struct StandardSemanticsTests {
    /// The decision on `key-0` of random project `seed`.
    private func decide(_ seed: Int, _ semantics: RuleSemantics) throws -> Answer<Decision> {
        var random = SeededGenerator(seed: seed)
        let manager = try ExperienceManager(RandomProject.config(&random, numericVariationIDs: false), semantics)
        let state = try VisitorState(wire: RandomProject.stored(&random))
        var visitor = manager.visitor(id: "v\(seed)", attributes: RandomProject.properties(&random), state: state)
        return manager.selectVariation("key-0", for: &visitor, options: RandomProject.options(&random))
    }

    @Test func standardGivesEveryVariationThatJavaScriptGives() throws {
        var count = 0
        // 1,500 with CONVERT_CASES=2.
        let projects = caseCount(750, plain: 250)
        for seed in 0..<projects {
            guard let expected = try decide(seed, .javaScript).variation else { continue }
            count += 1
            let variation = try decide(seed, .standard).variation
            #expect(variation?.variationID == expected.variationID, "seed \(seed)")
            #expect(variation?.source == expected.source, "seed \(seed)")
            #expect(variation?.bucketingAllocation == expected.bucketingAllocation, "seed \(seed)")
        }
        #expect(count > projects / 8)
    }
}
