import ConvertSwiftSDK
import Testing

struct FeatureValueTests {
    private struct Flow: Decodable, Equatable {
        struct Data: Decodable, Equatable { let a: Int }

        let on: Bool
        let size: Int
        let rate: Double
        let copy: String
        let data: Data
        let missing: String?
    }

    private let context: ConvertContext

    init() throws { context = try Fixture.sdk().createContext(visitorID: "v1", attributes: ["plan": "pro"]) }

    @Test func variablesAreDecodedIntoATypeOfTheApp() throws {
        let feature = context.feature("flow", experienceKeys: ["carrier"])
        let flow = try feature.decode(Flow.self)
        #expect(flow == Flow(on: true, size: 24, rate: 0.5, copy: "7", data: Flow.Data(a: 1), missing: nil))
        let inferred: Flow? = try feature.decode()
        #expect(inferred == flow)
    }

    @Test func whatDoesNotFitThrowsAndADisabledFeatureIsNothing() throws {
        struct Other: Decodable { let on: Int }
        #expect(throws: DecodingError.self) {
            try context.feature("flow", experienceKeys: ["carrier"]).decode(Other.self)
        }
        #expect(try context.feature("other").decode(Flow.self) == nil)
        struct Nothing: Decodable {}
        #expect(try BucketedFeature(key: "bare").decode(Nothing.self) != nil)
    }

    @Test func accessorsHaveDefaults() {
        let feature = context.feature("flow", experienceKeys: ["carrier"])
        #expect(feature.boolean("on", default: false) && feature.boolean("size", default: true))
        #expect(feature.integer("size", default: 1) == 24 && feature.integer("nope", default: 1) == 1)
        #expect(feature.number("rate", default: 1) == 0.5 && feature.number("copy", default: 1) == 1)
        #expect(feature.string("copy", default: "") == "7" && feature.string("on", default: "?") == "?")
        let off = BucketedFeature(key: "off", status: .disabled)
        #expect(off.integer("size", default: 9) == 9)
        #expect(BucketedFeature(key: "odd", variables: ["x": .number(.nan)]).number("x", default: 2) == 2)
    }
}
