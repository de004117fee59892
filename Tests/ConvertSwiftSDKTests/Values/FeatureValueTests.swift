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

    @Test func aValueOfAnotherTypeThrowsAndADisabledFeatureIsNil() throws {
        struct Other: Decodable { let on: Int }
        #expect(throws: DecodingError.self) {
            try context.feature("flow", experienceKeys: ["carrier"]).decode(Other.self)
        }
        #expect(try context.feature("other").decode(Flow.self) == nil)
        struct Nothing: Decodable {}
        #expect(try BucketedFeature(key: "bare").decode(Nothing.self) != nil)
    }

    @Test func oneVariableIsDecoded() throws {
        let feature = context.feature("flow", experienceKeys: ["carrier"])
        #expect(try feature.decode("data", as: Flow.Data.self) == Flow.Data(a: 1))
        #expect(try feature.decode("size", as: Int.self) == 24 && feature.decode("nope", as: Int.self) == nil)
        #expect(throws: DecodingError.self) { try feature.decode("copy", as: Flow.Data.self) }
        #expect(try BucketedFeature(key: "off", status: .disabled).decode("data", as: Flow.Data.self) == nil)
    }

    @Test func aValueThatCannotBeDecodedIsTheDefaultWithOneWarning() throws {
        struct Data: Decodable, Equatable { var b = 1 }
        struct Wide: Decodable, Equatable {
            var data = Data()
        }
        struct Narrow: Decodable, Equatable { var size = 1 }
        let logger = RecordingLogger()
        let sdk = try Fixture.sdk { $0.logger = logger }
        for _ in 0..<3 {
            let visitor = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
            #expect(visitor.decode("flow", default: Wide()) == Wide())
            #expect(visitor.decode("flow", default: Narrow()) == Narrow(size: 24))
            #expect(visitor.decode("other", default: Wide()) == Wide(), "the visitor does not have it")
        }
        #expect(
            logger.warnings == [
                "the variables of feature 'flow' do not fit Wide, so the default is used: 'data.b' is missing"
            ])
    }

    @Test func accessorsAnswerNilForAnotherTypeOrADisabledFeature() {
        let feature = context.feature("flow", experienceKeys: ["carrier"])
        #expect(feature.boolean("on") == true && feature.boolean("size") == nil)
        #expect(feature.integer("size") == 24 && feature.integer("nope") == nil)
        #expect(feature.number("rate") == 0.5 && feature.number("copy") == nil)
        #expect(feature.string("copy") == "7" && feature.string("on") == nil)
        #expect(BucketedFeature(key: "off", status: .disabled).integer("size") == nil)
    }
}
