import ConvertTransport
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

struct DescriptionTests {
    @Test func nothingShowsSecretsOrVisitors() async throws {
        let transport = ScriptedTransport { _, _ in .init(status: 200, body: Fixture.data) }
        var configuration = SDKConfiguration()
        configuration.debugToken = "hidden-token"
        configuration.logger = RecordingLogger()
        let sdk = ConvertSDK(
            sdkKey: "10/20", secret: "hidden-secret", configuration: configuration, transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "hidden-id", attributes: ["email": "hidden@example.com"])
        context.selectVariations()
        var shown = "\(configuration) \(sdk) \(context) \(String(reflecting: [configuration]))"
        shown += "\(String(reflecting: sdk)) \(String(reflecting: context))"
        dump(configuration, to: &shown)
        dump(sdk, to: &shown)
        dump(context, to: &shown)
        #expect(!shown.contains("hidden"))
        #expect(shown.contains("ConvertSDK(ready)"))
    }
}
