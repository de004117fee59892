import ConvertSwiftSDK
import Testing

struct FlagCallTests {
    private enum Flag: String, ConvertKey {
        case flow
        case other
    }
    private enum Page: String, ConvertKey { case home }
    private enum GoalKey: String, ConvertKey { case purchase }

    private let sdk: ConvertSDK
    private let visitor: ConvertContext

    init() throws {
        sdk = try Fixture.sdk()
        visitor = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
    }

    @Test func aDeclaredFlagIsOnOrOffWhateverTheDefault() {
        #expect(visitor.bool("flow", default: false))
        #expect(!visitor.bool("other", default: true))
    }

    @Test func anUndeclaredFlagIsTheDefault() {
        #expect(visitor.bool("nope", default: true) && !visitor.bool("nope", default: false))
    }

    @Test func aFlagOfAVisitorWithoutIDIsTheDefault() {
        #expect(sdk.createContext(visitorID: "").bool("flow", default: true))
    }

    @Test func variablesAreReadInOneCall() {
        #expect(visitor.bool("flow", "on", default: false) && visitor.int("flow", "size", default: 1) == 24)
        #expect(visitor.double("flow", "rate", default: 1) == 0.5 && visitor.string("flow", "copy", default: "") == "7")
    }

    @Test func aVariableThatTheVisitorDoesNotHaveIsTheDefault() {
        #expect(visitor.int("flow", "nope", default: 3) == 3 && visitor.string("flow", "on", default: "?") == "?")
        #expect(visitor.int("other", "size", default: 4) == 4)
    }

    @Test func aCaseOfTheAppsEnumIsAKey() {
        #expect(visitor.bool(Flag.flow, default: false) && visitor.isFeatureDeclared(Flag.other))
        #expect(visitor.decide(Page.home) == visitor.decide("home"))
        #expect(visitor.variationKey(Page.home, default: "none") == visitor.variationKey("home", default: "none"))
        #expect(visitor.explain(Page.home)?.experienceKey == "home")
        #expect(visitor.trackConversion(GoalKey.purchase) == .triggered)
    }
}
