import ConvertLedgers
import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// The largest values, which people give for "no limit", on real clocks and sockets.
@Suite(.timeLimit(.minutes(20)))
struct LimitlessTests {
    private static let always = Duration.seconds(Int64.max)

    private static let members: [(name: String, set: @Sendable (inout SDKConfiguration) -> Void)] = [
        ("refreshInterval", { $0.refreshInterval = always }), ("requestTimeout", { $0.requestTimeout = always }),
        ("loadTimeout", { $0.loadTimeout = always }), ("releaseInterval", { $0.releaseInterval = always }),
        ("maximumConfigLength", { $0.maximumConfigLength = .max }), ("batchSize", { $0.batchSize = .max }),
        ("queueCapacity", { $0.queueCapacity = .max }), ("visitorCapacity", { $0.visitorCapacity = .max }),
        ("queueByteCapacity", { $0.queueByteCapacity = .max }), ("loadLimit", { $0.loadLimit = .max }),
        ("ledgerPatience", { $0.ledgerPatience = always }),
    ]

    @Test(arguments: members.indices) func aMemberMayBeAsLargeAsItCan(index: Int) async throws {
        try await serve(with: Self.members[index].set, time: EndpointFault.patience)
    }

    @Test func aWaitMayBeAsLongAsItCan() async throws { try await serve(with: { _ in }, time: Self.always) }

    @Test func aLedgerMayHoldAsManyVisitorsAndEventsAsItCan() async throws {
        let ledger = MemoryLedger(visitorCapacity: .max, eventCapacity: .max)
        try await ledger.put(#"{"goals":{"4":true}}"#, of: "v1")
        try await ledger.put([Data()])
        #expect(try await ledger.record("v1") != nil)
    }

    @Test func aSleepIsNeverShorterThanAsked() async throws {
        let time = SystemTime()
        for deadline in [Self.always, time.now + Self.always, .seconds(1 << 40)] {
            let latch = Latch()
            #expect(await latch.wait(until: time.now + .milliseconds(20), by: time) == false)
            let sleep = Task { try await time.sleep(until: deadline) }
            try await time.sleep(until: time.now + .milliseconds(20))
            sleep.cancel()
            await #expect(throws: CancellationError.self, "\(deadline)") { try await sleep.value }
        }
        try await time.sleep(until: .seconds(Int64.min))
    }

    /// Starts twice, with and without a copy of the config on disk, and serves a visitor each time.
    private func serve(
        with change: (inout SDKConfiguration) -> Void, time: Duration
    ) async throws {
        let server = try FaultyServer(body: Fixture.data)
        defer { server.server.stop() }
        var configuration = SDKConfiguration()
        configuration.configEndpoint = server.address
        configuration.trackEndpoint = server.address
        configuration.configCopyFile = URL(fileURLWithPath: Fixture.temporaryFile())
        configuration.ledger = ScriptedLedger()
        configuration.logger = RecordingLogger()
        configuration.requestTimeout = EndpointFault.patience
        change(&configuration)
        defer { try? FileManager.default.removeItem(atPath: configuration.configCopyFile?.path ?? "") }
        for start in 1...2 {
            let sdk = ConvertSDK(
                sdkKey: "10/20", configuration: configuration)
            try await sdk.ready(timeout: time)
            let context = await sdk.loadContext(visitorID: "v\(start)")
            #expect(context.decide("all").variation != nil)
            #expect(
                await eventually { FileManager.default.fileExists(atPath: configuration.configCopyFile?.path ?? "") })
            let report = await sdk.shutdown(deadline: time)
            #expect(report.isComplete && report.events.delivered == 1)
        }
    }
}
