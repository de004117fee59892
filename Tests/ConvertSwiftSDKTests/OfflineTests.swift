import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct OfflineTests {
    let transport = ScriptedTransport(status: 200)

    @Test func anOfflineSDKDecidesAndNeitherSendsNorCounts() async throws {
        let ledger = ScriptedLedger()
        var configuration = SDKConfiguration()
        configuration.ledger = ledger
        configuration.batchSize = 1
        let sdk = try ConvertSDK(
            configData: Fixture.data, mode: .offline, configuration: configuration, transport: transport)
        #expect(sdk.mode == .offline && sdk.isReady)
        let context = await sdk.loadContext(visitorID: "v1")
        #expect(context.decide("all").variation != nil)
        #expect(context.trackConversion("purchase") == .triggered)
        #expect(context.trackConversion("purchase") == .alreadyTriggered)
        #expect(sdk.createContext(visitorID: "v1").trackConversion("purchase") == .alreadyTriggered)
        #expect(await sdk.flush() == DeliveryCounts())
        #expect(await sdk.shutdown().isComplete)
        #expect(transport.requests.isEmpty)
        #expect(await ledger.disk.eventCount == 0)
    }

    @Test func withoutAConfigItSaysSoAtOnceAndFetchesNone() async throws {
        let logger = RecordingLogger()
        var configuration = SDKConfiguration()
        configuration.logger = logger
        let sdk = ConvertSDK(sdkKey: "10/20", mode: .offline, configuration: configuration, transport: transport)
        let error = await #expect(throws: ConvertError.self) { try await sdk.ready(timeout: .seconds(600)) }
        #expect(error?.code == .invalidConfiguration)
        await #expect(throws: ConvertError.offline) { try await sdk.refreshConfig() }
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.decide("all").reason == .sdkNotReady)
        await #expect(throws: ConvertError.self) { try await context.loadPreview(experienceID: "1", variationID: "2") }
        #expect(transport.requests.isEmpty)
        #expect(logger.warnings.count { $0.contains("offline") } == 1)
    }

    @Test func aCopyOnDiskServesIt() async throws {
        let folder = try TemporaryFolder()
        var configuration = SDKConfiguration()
        configuration.configCopyFile = folder.file("config.json")
        let online = ConvertSDK(
            sdkKey: "10/20", configuration: configuration,
            transport: ScriptedTransport { _, _ in HTTPResponse(status: 200, body: Fixture.data) })
        try await online.ready()
        await online.shutdown()
        let sdk = ConvertSDK(sdkKey: "10/20", mode: .offline, configuration: configuration, transport: transport)
        try await sdk.ready(timeout: .seconds(60))
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil)
        #expect(try await !sdk.createContext(visitorID: "v1").loadPreview(experienceID: "1", variationID: "2"))
        #expect(transport.requests.isEmpty)
    }
}
