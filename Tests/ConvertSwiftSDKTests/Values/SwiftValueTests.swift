import Testing

@testable import ConvertSwiftSDK

/// Swift values as attributes.
struct SwiftValueTests {
    private let sdk: ConvertSDK
    private let plan = "pro"
    private let count = 3
    private let share = 0.5
    private let isNew = true
    private let coupon: String? = nil
    private let city: String? = "Rome"

    init() throws { sdk = try Fixture.sdk() }

    private func attributes(_ context: ConvertContext) -> JSObject {
        context.withVisitor { _, _, visitor in visitor.attributes } ?? JSObject()
    }

    @Test func variablesOfEveryUsualTypeAreAttributes() {
        let context = sdk.createContext(
            visitorID: "v1",
            attributes: [
                "plan": plan, "visits": count, "share": share, "isNew": isNew, "coupon": coupon, "city": city,
                "tags": ["a", "b"], "counts": ["x": 1], "literal": "text", "null": JSValue.null,
            ])
        #expect(
            attributes(context) == [
                "plan": "pro", "visits": 3, "share": 0.5, "isNew": true, "city": "Rome", "tags": ["a", "b"],
                "counts": ["x": 1], "literal": "text", "null": .null,
            ])
        #expect(context.selectVariation("pros") != nil)
    }

    @Test func literalsAndObjectsStayWhatTheyAre() {
        let literal = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro", "deep": ["a": [1, "x", .null]]])
        #expect(attributes(literal) == ["plan": "pro", "deep": ["a": [1, "x", .null]]])
        let object: JSObject = ["plan": .string(plan)]
        #expect(attributes(sdk.createContext(visitorID: "v1", attributes: object)) == ["plan": "pro"])
        #expect(attributes(sdk.createContext(visitorID: "v1")) == [:])
    }

    @Test func aPlaceIsMadeOfSwiftValuesToo() {
        let page = "home"
        let context = sdk.createContext(
            visitorID: "v1", attributes: ["plan": plan], locationProperties: ["page": page])
        #expect(context.selectVariation("home") != nil)
    }

    @Test func anEncodableTypeIsAttributes() throws {
        struct User: Encodable {
            let plan: String
            let visits: Int
            let coupon: String?
            let tags: [String]
        }
        let user = User(plan: "pro", visits: 12, coupon: nil, tags: ["a"])
        let object = try JSObject(encoding: user)
        #expect(object == ["plan": "pro", "visits": 12, "tags": ["a"]])
        #expect(sdk.createContext(visitorID: "v1", attributes: object).selectVariation("pros") != nil)
        #expect(throws: EncodingError.self) { try JSObject(encoding: [1, 2]) }
        #expect(throws: EncodingError.self) { try JSObject(encoding: ["x": Double.nan]) }
        #expect(try JSValue(encoding: [1, 2]) == [1, 2])
    }

    @Test func variablesStandWhereCallsTakeObjects() {
        let size = "big"
        let context = sdk.createContext(visitorID: "v1", locationProperties: ["page": size, "coupon": coupon])
        #expect(context.locationProperties == ["page": "big"])
        #expect(context.trackConversion("big", ruleData: ["size": "small"]) == .rulesNotMatched)
        #expect(context.trackConversion("big", ruleData: nil, forcesMultipleTransactions: true) == .triggered)
        #expect(context.trackConversion("big", ruleData: ["size": size, "coupon": coupon]) == .alreadyTriggered)
        #expect(ConversionOptions(ruleData: ["size": size]).ruleData == ["size": "big"])
        #expect(ConversionOptions(ruleData: ["size": "big"]).ruleData == ["size": "big"])
        context.updateVisitorProperties(["plan": plan, "coupon": coupon])
        context.updateVisitorProperties(["literal": 1])
        context.setDefaultSegments(["country": city])
        context.runCustomSegments(["buyers"], ruleData: ["bought": "yes", "visits": count])
        #expect(
            context.visitorData.segments
                == ["plan": "pro", "literal": 1, "country": "Rome", "customSegments": ["2"]])
    }

    @Test func optionsOfACallAreMadeOfSwiftValuesToo() {
        let options = DecisionOptions(visitorProperties: ["plan": plan, "coupon": coupon], suppressesEvents: true)
        #expect(options.visitorProperties == ["plan": "pro"] && options.locationProperties == nil)
        #expect(options.suppressesEvents && options.isTrackingEnabled)
        let page = "home"
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.selectVariation("home", options: DecisionOptions(locationProperties: ["page": page])) != nil)
        #expect(context.selectVariation("home", options: DecisionOptions(locationProperties: ["page": "home"])) != nil)
        let object: JSObject? = ["page": "home"]
        #expect(DecisionOptions(locationProperties: object).locationProperties == object)
    }

    @Test func anObjectMayBeMadeOfSwiftValues() {
        #expect(JSObject(["plan": plan, "coupon": coupon, "visits": count]) == ["plan": "pro", "visits": 3])
        #expect(JSObject([("a", 1)]) == ["a": 1])
    }
}
