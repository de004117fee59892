import ConvertLedgers
import ConvertMonitoring
import ConvertTestServer
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// An endpoint that refuses events, on a real socket.
@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
    /// Statuses that say nothing about the events.
    static let passing = [301, 401, 402, 403, 404, 405, 407, 409, 410, 418, 421, 425, 431, 451, 501, 511]

    let clock = StepClock()
    let logger = RecordingLogger()

    private func sdk(
        _ server: TestServer, _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        try Fixture.sdk(clock: clock, transport: transportUnderTest()) {
            $0.trackEndpoint = server.url().absoluteString
            $0.logger = logger
            $0.batchSize = 1000
            change(&$0)
        }
    }

    private func track(_ numbers: Range<Int>, visitors: Int, _ sdk: ConvertSDK) {
        for number in numbers {
            sdk.createContext(visitorID: "v\(number % visitors)")
                .trackConversion("purchase", options: NumberedConversion.options(number))
        }
    }

    @Test(arguments: [400, 413, 422]) func onlyOneVisitorsEventsAreGivenUpIfTheirBodyIsRefused(status: Int) async throws
    {
        let server = try PickyServer { $0.text.contains(#""v42""#) ? status : 200 }
        defer { server.stop() }
        let sdk = try sdk(server.server)
        track(0..<200, visitors: 100, sdk)
        let counts = await sdk.flush()
        // A visitor's first conversion is two events, one with the goal and one with the data.
        #expect(counts.accepted == 300 && counts.delivered == 297 && counts.rejected == [.refused(status: status): 3])
        var expected = Dictionary(grouping: 0..<200) { "v\($0 % 100)" }
        expected["v42"] = nil
        #expect(server.numbers == expected, "each once, in the order of its visitor")
        #expect(server.server.requests.count < 60)
    }

    @Test(arguments: [400, 413, 422]) func aVisitorLosesNoEventBesidesTheRefusedOne(status: Int) async throws {
        let server = try PickyServer { $0.text.contains("[29]") ? status : 200 }
        defer { server.stop() }
        let sdk = try sdk(server.server)
        track(0..<50, visitors: 1, sdk)
        let counts = await sdk.flush()
        #expect(counts.delivered == 50 && counts.rejected == [.refused(status: status): 1])
        #expect(server.numbers == ["v0": (0..<50).filter { $0 != 29 }])
    }

    @Test(arguments: passing) func eventsOutliveARefusalThatPasses(status: Int) async throws {
        let server = try PickyServer(refusing: 2, status)
        defer { server.stop() }
        let sdk = try sdk(server.server)
        track(0..<20, visitors: 5, sdk)
        for _ in 0..<2 { #expect(await sdk.flush().queued == 25) }
        let counts = await sdk.flush()
        #expect(counts.delivered == 25 && counts.rejected.isEmpty)
        #expect(server.numbers == Dictionary(grouping: 0..<20) { "v\($0 % 5)" })
    }

    /// What a process leaves behind is all that there is of it.
    @Test(arguments: passing + [400, 413, 422, 429, 503]) func aLedgerOutlivesARefusalThatPasses(status: Int)
        async throws
    {
        let disk = MemoryLedger()
        do {
            let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 500)) { $0.ledger = ScriptedLedger(disk) }
            track(0..<50, visitors: 10, sdk)
            await sdk.flush()
            await sdk.shutdown(deadline: .zero)
        }
        #expect(await disk.eventCount == 60)
        let server = try PickyServer(refusing: 2, status)
        defer { server.stop() }
        let sdk = try sdk(server.server) { $0.ledger = ScriptedLedger(disk) }
        #expect(await eventuallyAsync { await sdk.flush().delivered == 60 })
        let counts = sdk.deliveryCounts
        #expect(counts.restored == 60 && counts.queued == 0 && counts.rejected.isEmpty)
        #expect(server.numbers == Dictionary(grouping: 0..<50) { "v\($0 % 10)" })
        #expect(await eventually { await disk.eventCount == 0 })
    }

    @Test func aPauseEndsByItself() async throws {
        let server = try PickyServer(refusing: 1, 404)
        defer { server.stop() }
        let sdk = try sdk(server.server)
        track(0..<5, visitors: 5, sdk)
        #expect(await sdk.flush().queued == 10)
        // The first pause is no longer than a minute.
        clock.advance(by: .seconds(60))
        #expect(await eventually { sdk.deliveryCounts.delivered == 10 })
    }

    @Test func retryAfterIsHonouredWithARefusalThatPasses() async throws {
        let server = try PickyServer(refusing: 1, 403, headers: ["Retry-After": "1800"])
        defer { server.stop() }
        let sdk = try sdk(server.server)
        track(0..<5, visitors: 5, sdk)
        await sdk.flush()
        #expect(await sdk.flush().queued == 10)
        clock.advance(by: .seconds(1799))
        #expect(await sdk.flush().queued == 10)
        #expect(await sdk.shutdown(deadline: .zero).events.queued == 10)
        #expect(server.server.requests.count == 1)
    }

    @Test(arguments: [(401, "secret"), (404, "trackEndpoint"), (407, "proxy"), (415, "trackingBodyMapper")])
    func anOutageIsWarnedOfOnceAndTheWarningNamesTheRemedy(status: Int, remedy: String) async throws {
        let isRefusing = Shared(true)
        let server = try PickyServer { _ in isRefusing.withLock { $0 } ? status : 200 }
        defer { server.stop() }
        let sdk = try sdk(server.server)
        var warnings: [String] { logger.warnings.filter { $0.contains("(status \(status))") } }
        for outage in 1...2 {
            isRefusing.withLock { $0 = true }
            track(0..<5, visitors: 5, sdk)
            for _ in 0..<4 { await sdk.flush() }
            #expect(await eventually { warnings.count == outage })
            #expect(warnings.allSatisfy { $0.contains(remedy) })
            isRefusing.withLock { $0 = false }
            #expect(await sdk.flush().queued == 0)
        }
        #expect(warnings.count == 2)
        #expect(logger.warnings.count == 2, "nothing else is warned of")
    }

    /// A key that does not exist any more must not keep a process that takes over its events from sending.
    @Test func aDestinationThatIsRefusedDoesNotHoldUpOthers() async throws {
        let server = try PickyServer { $0.path.contains("old/key") ? 404 : 200 }
        defer { server.stop() }
        let old = QueuedEvent(
            destination: TrackingDestination(sdkKey: "old/key", accountID: "10", projectID: "20"), visitorID: "v0",
            segments: nil, content: .read(.null))
        let disk = MemoryLedger()
        try await disk.put((0..<3).map { _ in old.record })
        let sdk = try sdk(server.server) { $0.ledger = disk }
        #expect(await eventually { sdk.deliveryCounts.restored == 3 })
        track(0..<5, visitors: 5, sdk)
        await sdk.flush()
        await sdk.flush()
        #expect(sdk.deliveryCounts.delivered == 10 && sdk.deliveryCounts.queued == 3)
        #expect(sdk.deliveryCounts.rejected.isEmpty)
        #expect(await eventually { await disk.eventCount == 3 })
    }

    /// An endpoint that refuses all bodies is out of order, and a queue is not emptied for that in a moment.
    @Test func anEndpointThatRefusesEveryBodyEmptiesNoQueue() async throws {
        let isRefusing = Shared(true)
        let server = try PickyServer { _ in isRefusing.withLock { $0 } ? 400 : 200 }
        defer { server.stop() }
        let sdk = try sdk(server.server)
        track(0..<300, visitors: 1, sdk)
        let refused = await sdk.flush()
        #expect(refused.rejected == [.refused(status: 400): 50] && refused.queued == 251)
        #expect(server.server.requests.count < 120)
        isRefusing.withLock { $0 = false }
        #expect(await sdk.flush().delivered == 251)
    }
}

/// A server that answers with the status that a test sets, and records the events that it took.
private final class PickyServer: Sendable {
    let server: TestServer
    private let taken = Shared<[RecordedRequest]>([])

    init(
        headers: KeyValuePairs<String, String> = [:], answering status: @escaping @Sendable (RecordedRequest) -> Int
    ) throws {
        server = try TestServer { [taken] request in
            let status = status(request)
            if status == 200 { taken.withLock { $0.append(request) } }
            return .status(status, headers: status == 200 ? [:] : headers)
        }
    }

    /// Refuses the first `count` requests with `status`, and takes all others.
    convenience init(refusing count: Int, _ status: Int, headers: KeyValuePairs<String, String> = [:]) throws {
        let left = Shared(count)
        try self.init(headers: headers) { _ in
            left.withLock { left in
                left -= 1
                return left >= 0 ? status : 200
            }
        }
    }

    /// The numbers of the conversions that were taken, by visitor, in the order in which they arrived.
    var numbers: [String: [Int]] {
        var numbers: [String: [Int]] = [:]
        for (visitor, number) in taken.withLock({ $0 }).flatMap({ NumberedConversion.all(in: $0.body) }) {
            numbers[visitor, default: []].append(number)
        }
        return numbers
    }

    func stop() { server.stop() }
}
