import ConvertLedgers
import ConvertConcurrency
import ConvertMonitoring
import ConvertSwiftSDK
import ConvertTestSupport
import ConvertTesting
import Foundation
import Testing

/// What an SDK for tests does with a configuration for production.
struct SilentTestingTests {
    /// Takes note of every call.
    private final class Keeper: Ledger, DecisionLogSink {
        let calls = Log<String>()

        func begin() async throws -> UInt32 {
            calls.append("begin")
            return 1
        }

        func visitor(_ key: String) async throws -> VisitorState? {
            calls.append("visitor")
            return nil
        }

        func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
            calls.append("commit")
            return entries.map { LedgerOutcome(record: $0.changes.changes) }
        }

        func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
            calls.append("undelivered")
            return []
        }

        func remove(_ ids: [EventID]) async throws { calls.append("remove") }

        func forget(_ key: String) async throws { calls.append("forget") }

        func close() async { calls.append("close") }

        func write(_ lines: Data) throws { calls.append("write") }
    }

    @Test func aTestingSDKStoresAndWritesNothing() async throws {
        let keeper = Keeper()
        let folder = try TemporaryFolder()
        var configuration = SDKConfiguration()
        configuration.ledger = keeper
        configuration.decisionLog = DecisionLog(sink: keeper)
        configuration.configCopyFile = folder.file("config.json")
        configuration.trackingBodyMapper = { body in
            keeper.calls.append("map")
            return body
        }
        let project = TestProject {
            Experience("e") { Variation("v") }
            Goal("purchase")
        }
        let sdk = ConvertSDK(testing: project, configuration: configuration)
        let context = await sdk.loadContext(visitorID: "v1", attributes: ["country": "de"])
        #expect(context.decide("e").variation != nil)
        #expect(context.trackConversion("purchase") == .triggered)
        sdk.replaceProject(with: project)
        try await sdk.refreshConfig()
        #expect(sdk.createContext(visitorID: "v1").decide("e").variation != nil)
        await sdk.flush()
        await sdk.shutdown()
        #expect(keeper.calls.entries.isEmpty)
        #expect(sdk.decisionLogCounts.written == 0 && sdk.decisionLogCounts.lost == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("config.json").path))
        #expect(sdk.trackedEvents.count == 2)
    }

    @Test func afterAShutdownADecisionIsMadeAndAConversionDoesNotCount() async {
        let sdk = ConvertSDK(
            testing: TestProject {
                Experience("e") { Variation("v") }
                Goal("purchase")
            })
        await sdk.shutdown(deadline: .seconds(1))
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.decide("e").variation != nil)
        #expect(context.trackConversion("purchase") == .shutDown)
        #expect(sdk.trackedEvents.isEmpty && context.visitorData == VisitorState())
    }
}
