import ConvertSwiftSDKCore
import Foundation
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
        #expect(context.decide("pros").variation != nil)
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
        #expect(context.decide("home").variation != nil)
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
        #expect(sdk.createContext(visitorID: "v1", attributes: object).decide("pros").variation != nil)
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
        #expect(context.decide("home", options: DecisionOptions(locationProperties: ["page": page])).variation != nil)
        #expect(context.decide("home", options: DecisionOptions(locationProperties: ["page": "home"])).variation != nil)
        let object: JSObject? = ["page": "home"]
        #expect(DecisionOptions(locationProperties: object).locationProperties == object)
    }

    private enum Plan: String, JSValueConvertible { case free, pro }
    private enum Level: Int8, JSValueConvertible { case low = 1, high = 7 }

    /// Swift values of the types that apps have, and what they mean.
    static let meanings: [(value: any JSValueConvertible & Sendable, meaning: JSValue)] = [
        (Character("é"), "é"), (Substring("pro"), "pro"), (Plan.pro, "pro"), (Level.high, 7),
        (Int8(-8), -8), (Int16(-16), -16), (Int32(-32), -32), (Int64(-64), -64), (UInt(1), 1), (UInt8(8), 8),
        (UInt16(16), 16), (UInt32(32), 32), (UInt64(64), 64), (Int128(128), 128), (UInt128(128), 128),
        (UInt64.max, 18_446_744_073_709_551_615.0), (Int64.min, .integer(.min)), (Float(0.5), 0.5),
        (["a": ["b": [1, 2]]], ["a": ["b": [1, 2]]]), ([Plan.free: 1].keys.map(\.self), ["free"]),
        (Set([10, 9, 1]), [1, 10, 9]), (Set(["b", "a"]), ["a", "b"]), (Set([Plan.pro]), ["pro"]),
        (Decimal(string: "19.99") ?? 0, 19.99), (Decimal(string: "0.1") ?? 0, 0.1), (Decimal(3), 3),
        (Decimal(string: "123456789012345678901234567890") ?? 0, 123456789012345678901234567890.0),
        (Decimal.nan, .number(.nan)),
        (UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID(), "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
        (URL(string: "https://shop.example/a?b=1#c") ?? URL(filePath: "/"), "https://shop.example/a?b=1#c"),
        ([Date(timeIntervalSince1970: 0)], ["1970-01-01T00:00:00.000Z"]),
    ]

    #if canImport(CoreGraphics)
    @Test func aCGFloatIsTheNumber() { #expect(CGFloat(2.25).jsValue == 2.25) }
    #endif

    @Test(arguments: meanings) func eachTypeHasOneMeaning(value: any JSValueConvertible & Sendable, meaning: JSValue) {
        let context = sdk.createContext(visitorID: "v1", attributes: ["value": value])
        #expect(attributes(context) == ["value": meaning])
    }

    /// What JavaScript's `JSON.stringify(new Date(milliseconds))` answers.
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_764_095_241_500, "2025-11-25T18:27:21.500Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-62_198_755_200_000, "-000001-01-01T00:00:00.000Z"), (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (8.64e15, "+275760-09-13T00:00:00.000Z"), (-8.64e15, "-271821-04-20T00:00:00.000Z"), (8.65e15, .null),
            (.nan, .null), (.infinity, .null),
        ] as [(Double, JSValue)])
    func aDateIsWhatJavaScriptWrites(milliseconds: Double, text: JSValue) throws {
        let date = Date(timeIntervalSince1970: milliseconds / 1000)
        #expect(date.jsValue == text)
        guard milliseconds.isFinite else { return }
        #expect(try JSObject(encoding: ["at": date]) == ["at": text], "an encodable type's dates are no others")
    }

    @Test func fractionsOfSecondsSurvive() {
        for millisecond in 0..<1_000 {
            let date = Date(timeIntervalSince1970: 1_764_095_241 + Double(millisecond) / 1_000)
            #expect(date.jsValue.stringValue?.hasSuffix(".\(String(1_000 + millisecond).dropFirst())Z") == true)
        }
    }

    @Test func aDictionaryThatAVariableHoldsIsAttributes() async {
        let headers = ["plan": "pro", "city": "Rome"]
        #expect(
            attributes(sdk.createContext(visitorID: "v1", attributes: JSObject(dictionary: headers))) == [
                "plan": "pro", "city": "Rome",
            ])
        let loaded = await sdk.loadContext(visitorID: "v1", attributes: JSObject(dictionary: headers))
        #expect(attributes(loaded) == ["plan": "pro", "city": "Rome"])
        let counts = ["visits": 3]
        #expect(
            attributes(sdk.createContext(visitorID: "v1", attributes: JSObject(dictionary: counts))) == ["visits": 3])
        let optional: [String: String?] = ["plan": "pro", "coupon": nil]
        #expect(
            attributes(sdk.createContext(visitorID: "v1", attributes: JSObject(dictionary: optional))) == [
                "plan": "pro"
            ])
        let mixed: [String: any JSValueConvertible] = ["plan": plan, "visits": count, "tags": ["a"]]
        let context = sdk.createContext(
            visitorID: "v1", attributes: JSObject(dictionary: mixed), locationProperties: ["page": "home"])
        #expect(attributes(context) == ["plan": "pro", "visits": 3, "tags": ["a"]])
        #expect(context.decide("home").variation != nil)
        context.updateVisitorProperties(JSObject(dictionary: headers))
        #expect(context.visitorData.segments == ["plan": "pro", "city": "Rome"])
    }

    /// Literals keep their order, which a dictionary would not.
    @Test func aLiteralOfVariablesKeepsItsOrder() {
        let names = ["z", "y", "x", "plan", "a"]
        let context = sdk.createContext(
            visitorID: "v1", attributes: ["z": plan, "y": plan, "x": plan, "plan": plan, "a": plan])
        #expect(attributes(context).members.map(\.key.name) == names)
        let literal = sdk.createContext(visitorID: "v1", attributes: ["z": 1, "y": 1, "x": "1", "plan": 1, "a": 1])
        #expect(attributes(literal).members.map(\.key.name) == names)
    }

    @Test func anIdentifierIsFoundInAList() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        for spelling in [id.uuidString, id.uuidString.lowercased()] {
            #expect(
                Comparisons.evaluate(matchType: "isIn", value: id.jsValue, testAgainst: .string("x|" + spelling)))
        }
    }

    @Test func anObjectMayBeMadeOfSwiftValues() {
        #expect(JSObject(["plan": plan, "coupon": coupon, "visits": count]) == ["plan": "pro", "visits": 3])
        #expect(JSObject([("a", 1)]) == ["a": 1])
    }
}
