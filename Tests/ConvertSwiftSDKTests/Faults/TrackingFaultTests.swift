import ConvertMonitoring
import ConvertTestSupport
import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// A tracking endpoint that fails, on a real socket.
@Suite(.timeLimit(.minutes(20)))
struct TrackingFaultTests {
    private func sdk(
        _ server: FaultyServer, timeout: Duration,
        _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.trackEndpoint = server.address
        configuration.requestTimeout = timeout
        configuration.logger = RecordingLogger()
        change(&configuration)
        return ConvertSDK(
            config: try Fixture.config(), configuration: configuration, transport: transportUnderTest())
    }

    /// Tracks conversions with `numbers` of five visitors; a visitor's first one is two events.
    private func track(_ numbers: Range<Int>, _ sdk: ConvertSDK) {
        for number in numbers {
            sdk.createContext(visitorID: "v\(number % 5)")
                .trackConversion("purchase", options: NumberedConversion.options(number))
        }
    }

    @Test func eventsWaitForAnEndpointThatIsAURL() async throws {
        let logger = RecordingLogger()
        let sdk = try Fixture.sdk { ($0.trackEndpoint, $0.logger) = ("no address", logger) }
        sdk.createContext(visitorID: "v1").trackConversion("purchase", revenue: 1)
        let counts = await sdk.flush()
        #expect(counts.queued == 2 && counts.rejected.isEmpty)
        #expect(sdk.deliveryOutage?.cause == .address)
        #expect(logger.warnings.contains { $0.contains("trackEndpoint") })
    }

    @Test(arguments: EndpointFault.all) func everyEventIsAccountedForAndArrivesOnceItCan(fault: EndpointFault)
        async throws
    {
        let server = try FaultyServer()
        defer { server.server.stop() }
        server.fail(fault)
        let sdk = try sdk(server, timeout: fault.timeout)
        track(0..<15, sdk)
        let failed = await sdk.flush()
        #expect(failed.isComplete && failed.accepted == 20)
        switch fault.fate {
        case .wait: #expect(failed.queued == 20 && failed.rejected.isEmpty)
        case .delivered where fault.isSilent:
            // On a busy machine the time may be over before the status arrives.
            #expect(await eventuallyAsync { await sdk.flush().delivered == 20 })
        case .delivered:
            #expect(failed.delivered == 20)
            let sent = server.server.requests.flatMap { NumberedConversion.all(in: $0.body) }
            #expect(sent.map(\.number).sorted() == Array(0..<15), "nothing is sent twice")
        case .refused(let status): #expect(failed.rejected == [.refused(status: status): 20])
        }
        track(15..<30, sdk)
        #expect(sdk.deliveryCounts.isComplete)
        #expect(server.server.bytesSent < 64 << 20)
        try server.heal()
        // What was under way when the fault ended may still meet it.
        let isOut = await eventuallyAsync { await sdk.flush().queued == 0 }
        let counts = sdk.deliveryCounts
        #expect(isOut && counts.isComplete && counts.accepted == 35)
        let arrived = server.numbers
        #expect(arrived.values.allSatisfy { $0 == $0.sorted() }, "a visitor's events keep their order")
        if fault.fate == .wait {
            #expect(counts.delivered == 35 && counts.rejected.isEmpty)
            #expect(arrived == Dictionary(grouping: 0..<30) { "v\($0 % 5)" })
        }
    }

    @Test(arguments: EndpointFault.all) func aShutdownKeepsItsDeadlineAndTheAccounts(fault: EndpointFault) async throws
    {
        let server = try FaultyServer()
        defer { server.server.stop() }
        server.fail(fault)
        // The request itself would outlast the test.
        let sdk = try sdk(server, timeout: .seconds(3600))
        track(0..<25, sdk)
        // What is under way at the deadline counts as waiting.
        let isLost = fault.fate == .wait || fault.isSilent
        let report = await sdk.shutdown(deadline: isLost ? .milliseconds(300) : EndpointFault.patience)
        #expect(report.events.isComplete && report.events.accepted == 30)
        switch fault.fate {
        case _ where isLost: #expect(report.events.queued == 30 && !report.isComplete)
        case .wait, .delivered: #expect(report.events.delivered == 30 && report.isComplete)
        case .refused(let status):
            #expect(report.events.rejected == [.refused(status: status): 30] && !report.isComplete)
        }
        track(25..<30, sdk)
        #expect(sdk.deliveryCounts.isComplete && sdk.deliveryCounts.rejected[.shutDown] == 5)
    }

    @Test func anOutageInBurstsLosesNothing() async throws {
        let server = try FaultyServer()
        defer { server.server.stop() }
        let sdk = try sdk(server, timeout: EndpointFault.patience) { $0.batchSize = 3 }
        let outages = EndpointFault.all.filter { $0.fate == .wait && !$0.isSilent && $0.name != "answers 429" }
        for (round, fault) in outages.enumerated() {
            server.fail(fault)
            track(round * 10..<round * 10 + 5, sdk)
            await sdk.flush()
            try server.heal()
            track(round * 10 + 5..<round * 10 + 10, sdk)
            await sdk.flush()
            #expect(sdk.deliveryCounts.isComplete)
        }
        #expect(await eventuallyAsync { await sdk.flush().queued == 0 })
        let counts = sdk.deliveryCounts
        #expect(counts.isComplete && counts.delivered == outages.count * 10 + 5)
        #expect(server.numbers == Dictionary(grouping: 0..<outages.count * 10) { "v\($0 % 5)" })
    }

    @Test(arguments: [SDKConfiguration.QueueOverflow.dropNewest, .dropOldest])
    func aLongOutageFillsTheQueueAndNoMore(overflow: SDKConfiguration.QueueOverflow) async throws {
        let server = try FaultyServer()
        defer { server.server.stop() }
        server.fail(EndpointFault("answers 500", .status(500)))
        let sdk = try sdk(server, timeout: EndpointFault.patience) {
            $0.queueCapacity = 100
            $0.queueOverflow = overflow
        }
        for number in 0..<5000 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        let full = sdk.deliveryCounts
        #expect(full.isComplete && full.accepted == 5000 && full.queued == 100)
        #expect(full.rejected == [.overflow: 4900])
        try server.heal()
        #expect(await eventuallyAsync { await sdk.flush().queued == 0 })
        #expect(sdk.deliveryCounts.delivered == 100)
    }
}

/// Looks whether `condition` holds, which is asked for asynchronously; `false` if it still does not after five minutes
/// or more.
func eventuallyAsync(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<60_000 {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}
