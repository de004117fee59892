import Testing

@testable import ConvertSwiftSDK

struct ContextFeatureTests {
    private let context: ConvertContext

    init() throws { context = try Fixture.sdk().createContext(visitorID: "v1", attributes: ["plan": "pro"]) }

    @Test func variablesAreCastAndReadByType() {
        let feature = context.feature("flow", experienceKeys: ["carrier"])
        #expect(feature.status == .enabled)
        #expect(feature.boolean("on") == true)
        #expect(feature.integer("size") == 24)
        #expect(feature.number("rate") == 0.5)
        #expect(feature.string("copy") == "7")
        #expect(feature.object("data") == ["a": 1])
        #expect(feature.boolean("size") == nil && feature.integer("nope") == nil && feature.string("on") == nil)
        #expect(feature.experienceKey == "carrier")
    }

    @Test func castingCanBeLeftOut() {
        let feature = context.feature("flow", experienceKeys: ["carrier"], castsTypes: false)
        #expect(feature["on"] == "true" && feature["size"] == "24px")
    }

    @Test func experienceKeysNarrowTheSearch() {
        #expect(context.feature("flow", experienceKeys: ["pros"]).status == .disabled)
    }

    @Test func featuresListsTheEnabledOnesThenTheOthersAsDisabled() {
        let features = context.features()
        #expect(features.contains { $0.key == "flow" && $0.status == .enabled })
        #expect(features.last?.key == "other" && features.last?.status == .disabled)
    }

    @Test func enabledAndDeclaredAreTwoQuestions() {
        #expect(context.isFeatureEnabled("flow") && context.isFeatureDeclared("flow"))
        #expect(!context.isFeatureEnabled("other") && context.isFeatureDeclared("other"))
        #expect(!context.isFeatureEnabled("nope") && !context.isFeatureDeclared("nope"))
    }

    @Test func severalCarriersGiveTheFeatureSeveralTimes() throws {
        let sdk = try Fixture.sdk()
        let both = (0..<50).map { sdk.createContext(visitorID: "f\($0)", attributes: ["plan": "pro"]) }
            .map { $0.allFeatures("flow").features.count }
        #expect(Set(both) == [1, 2])
    }

    @Test func entitiesAreFoundByKeyAndID() {
        #expect(
            context.config?.experiences[key: "all"]?.id == "90" && context.config?.experiences[id: "90"]?.key == "all")
        #expect(context.config?.audiences[key: "pro"]?.id == "1" && context.config?.audiences[id: "1"]?.key == "pro")
        #expect(context.config?.locations[key: "home"]?.id == "3" && context.config?.locations[id: "3"]?.key == "home")
        #expect(
            context.config?.segments[key: "buyers"]?.id == "2" && context.config?.segments[id: "2"]?.key == "buyers")
        #expect(context.config?.features[key: "flow"]?.id == "6" && context.config?.features[id: "6"]?.key == "flow")
        #expect(context.config?.goals[key: "big"]?.id == "5" && context.config?.goals[id: "5"]?.key == "big")
        #expect(context.config?.experiences.flatMap(\.variations)[key: "home-a"]?.id == "920")
        #expect(context.config?.experiences.flatMap(\.variations)[id: "920"]?.key == "home-a")
        #expect(
            context.config?.goals[key: "nope"] == nil
                && context.config?.experiences.flatMap(\.variations)[id: "nope"] == nil)
    }
}
