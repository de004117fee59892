import ConvertConcurrency
import ConvertSwiftSDK
import ConvertTestSupport
import ConvertTesting
import Foundation
import Testing

/// What an SDK for tests does with a configuration for production.
struct SilentTestingTests {
    /// Takes note of every call.
    private final class Keeper: VisitorStore, EventJournal, DecisionLogSink {
        let calls = Log<String>()

        func load(_ key: String) async throws -> VisitorState? {
            calls.append("load")
            return nil
        }

        func save(_ changes: VisitorState, for key: String) async throws { calls.append("save") }

        func append(_ records: [Data]) throws -> [Int64] {
            calls.append("append")
            return records.indices.map { Int64($0) }
        }

        func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
            calls.append("events")
            return []
        }

        func remove(_ ids: [Int64]) async throws { calls.append("remove") }

        func write(_ lines: Data) throws { calls.append("write") }
    }

    @Test func itStoresAndWritesNothingWhateverItsConfigurationSays() async throws {
        let keeper = Keeper()
        let folder = try TemporaryFolder()
        var configuration = SDKConfiguration()
        configuration.visitorStore = keeper
        configuration.journal = keeper
        configuration.decisionLog = DecisionLog(sink: keeper)
        configuration.configCopyPath = folder.file("config.json").path
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
        #expect(context.selectVariation("e") != nil)
        #expect(context.trackConversion("purchase") == .triggered)
        sdk.replaceProject(with: project)
        try await sdk.refreshConfig()
        #expect(sdk.createContext(visitorID: "v1").selectVariation("e") != nil)
        await sdk.flush()
        await sdk.shutdown()
        #expect(keeper.calls.entries.isEmpty)
        #expect(sdk.decisionLogCounts.written == 0 && sdk.decisionLogCounts.lost == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("config.json").path))
        #expect(sdk.trackedEvents.count == 2)
    }
}
