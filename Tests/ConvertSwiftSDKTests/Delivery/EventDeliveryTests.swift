import ConvertLedgers
import ConvertMonitoring
import ConvertTestSupport
import ConvertTestServer
import ConvertTransport
import Foundation
import ConvertConcurrency
import Testing

@testable import ConvertSwiftSDK

struct EventDeliveryTests {
    @Test func theRequestIsTheReferences() async throws {
        let transport = ScriptedTransport { request, _ in
            HTTPResponse(status: 200, body: request.method == "GET" ? Fixture.data : Data())
        }
        let sdk = Fixture.fetchingSDK(key: "10/20", secret: "s3cret", transport: transport)
        try await sdk.ready()
        sdk.createContext(visitorID: "v1", attributes: ["country": "US"]).trackConversion("purchase")
        await sdk.flush()
        let request = try #require(transport.requests.last)
        #expect(request.method == "POST")
        #expect(request.url.absoluteString == "https://20.metrics.convertexperiments.com/v1/track/10/20")
        #expect(
            request.headers == [
                "Content-Type": "application/json", "User-Agent": "ConvertAgent/1.0", "Authorization": "Bearer s3cret",
            ])
        #expect(
            String(decoding: request.body ?? Data(), as: UTF8.self)
                == #"{"enrichData":true,"accountId":"10","projectId":"20","visitors":[{"visitorId":"v1","events":"#
                + #"[{"eventType":"conversion","data":{"goalId":"4"}}],"segments":{"country":"US"}}],"source":"swift-sdk"}"#
        )
    }

    @Test func aStaticConfigTracksUnderAccountAndProject() async throws {
        let transport = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(transport: transport) {
            $0.trackEndpoint = "http://127.0.0.1:9/[project_id]/x"
            $0.ledger = MemoryLedger()
            $0.source = "js-sdk"
            $0.trackingBodyMapper = { body in
                var body = body
                body["extra"] = 1
                return body
            }
        }
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        await sdk.flush()
        #expect(transport.requests.first?.url.absoluteString == "http://127.0.0.1:9/20/x/track/10/20")
        #expect(transport.requests.first?.headers["Authorization"] == nil)
        let body = transport.bodies.first
        #expect(body?["enrichData"] == false && body?["source"] == "js-sdk" && body?["extra"] == 1)
    }

    @Test func sizeAndIntervalReleaseTheQueue() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(clock: clock, transport: transport)
        for index in 0..<10 { sdk.createContext(visitorID: "v\(index)").trackConversion("purchase") }
        #expect(await eventually { sdk.deliveryCounts.delivered == 10 })
        sdk.createContext(visitorID: "w").trackConversion("purchase")
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(1))
        #expect(await eventually { sdk.deliveryCounts.delivered == 11 })
    }

    @Test func failuresAreRetriedAndRefusalsReportedOnce() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport { _, index in
            switch index {
            case 0: throw Failure()
            case 1: return HTTPResponse(status: 503)
            case 2: return HTTPResponse(status: 429, headers: ["Retry-After": "30"])
            case 3: return HTTPResponse(status: 400)
            default: return HTTPResponse(status: 200)
            }
        }
        let logger = RecordingLogger()
        let sdk = try Fixture.sdk(clock: clock, transport: transport) { $0.logger = logger }
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await sdk.flush().queued == 1)
        #expect(await sdk.flush().queued == 1)
        #expect(await sdk.flush().queued == 1)
        // The endpoint asked for half a minute.
        #expect(await sdk.flush().queued == 1)
        #expect(transport.requests.count == 3)
        clock.advance(by: .seconds(29))
        #expect(transport.requests.count == 3)
        clock.advance(by: .seconds(1))
        #expect(await eventually { sdk.deliveryCounts.rejected == [.refused(status: 400): 1] })
        #expect(sdk.deliveryCounts.queued == 0)
        // The line is written after the event is counted; what follows the line shows that there is no second one.
        #expect(await eventually { logger.warnings.contains { $0.contains("given up") } })
        sdk.createContext(visitorID: "v2").trackConversion("purchase")
        #expect(await sdk.flush().delivered == 1)
        #expect(logger.warnings.count { $0.contains("given up") } == 1)
    }

    @Test func theOrderOfAVisitorIsKept() async throws {
        let transport = ScriptedTransport { _, index in HTTPResponse(status: index % 2 == 0 ? 500 : 200) }
        let sdk = try Fixture.sdk(transport: transport) { $0.batchSize = 3 }
        for index in 0..<50 {
            var options = ConversionOptions()
            options.forcesMultipleTransactions = true
            options.goalData = [.integer(index)]
            sdk.createContext(visitorID: "v1").trackConversion("purchase", options: options)
        }
        while sdk.deliveryCounts.queued > 0 { await sdk.flush() }
        let delivered = transport.bodies.enumerated().filter { $0.offset % 2 == 1 }.flatMap { body in
            (body.element["visitors"]?.arrayValue?.first?.objectValue?["events"]?.arrayValue ?? []).compactMap {
                $0.objectValue?["data"]?.objectValue?["goalData"]?.arrayValue?.first?.numberValue
            }
        }
        #expect(delivered == (0..<50).map(Double.init))
    }

    @Test func aTransportThatNeverAnswersHoldsUpNothingForEver() async throws {
        let clock = StepClock()
        let never = Latch()
        let transport = ScriptedTransport { _, _ in
            // Deaf to cancellation.
            _ = await Task.detached { await never.wait() }.value
            throw Failure()
        }
        let sdk = try Fixture.sdk(clock: clock, transport: transport)
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        async let flushed = sdk.flush()
        #expect(await eventually { transport.requests.count == 1 && clock.isAwaited(in: .seconds(15)) })
        clock.advance(by: .seconds(15))
        #expect(await flushed.queued == 1)
        never.open()
    }

    @Test func aLedgerOutlivesTheProcess() async throws {
        let disk = MemoryLedger()
        do {
            let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 500)) { $0.ledger = ScriptedLedger(disk) }
            for index in 0..<5 { sdk.createContext(visitorID: "v\(index)").trackConversion("purchase") }
            await sdk.flush()
            let report = await sdk.shutdown(deadline: .zero)
            #expect(report.events.queued == 5 && report.areEventsStored && !report.isComplete)
        }
        try await disk.put([Data("no event".utf8)])
        let up = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(transport: up) { $0.ledger = ScriptedLedger(disk) }
        #expect(await eventually { sdk.deliveryCounts.restored == 6 })
        let counts = await sdk.flush()
        #expect(counts.delivered == 5 && counts.queued == 0 && counts.rejected == [.unreadable: 1])
        // Each visitor's conversion waited for a load of its own.
        #expect(up.events.map(\.visitor).sorted() == (0..<5).map { "v\($0)" })
        #expect(await eventually { await disk.eventCount == 0 })
    }

    @Test(arguments: [
        ("120", 120.0), ("0", 0), ("Tue, 14 Nov 2023 22:14:20 GMT", 60), ("Tue, 14 Nov 2023 22:13:00 GMT", 0),
        ("Thu, 29 Feb 2024 00:00:00 GMT", 9_164_800), ("99999999999999999999", 1e9), ("000000000007", 7), ("0000", 0),
        ("0000000000000999999999", 999_999_999),
        ("Tuesday, 14-Nov-23 22:14:20 GMT", 60), ("Tue Nov 14 22:14:20 2023", 60),
        ("Fri Dec  1 00:00:00 2023", 1_388_800),
        ("Tuesday, 14-Nov-73 22:13:20 GMT", 1e9), ("Tuesday, 14-Nov-73 22:13:21 GMT", 0),
        ("Wednesday, 15-Nov-72 00:00:00 GMT", 1e9), ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
        ("Tue, 14 Nov 2023 22:13:60 GMT", 40),
        ("Sun, 06 Nov 0994 08:49:37 GMT", 0),
    ])
    func retryAfterIsReadInAllItsForms(value: String, seconds: Double) {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(RetryAfter.delay(value, at: date) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "-1", "1.5", "soon", "Tue, 14 Nov 2023 25:14:20 GMT", "14 Nov 2023", "Tue, 14 XXX 2023 22:14:20 GMT",
        "Tue, 31 Feb 2040 00:00:00 GMT", "Tue, 29 Feb 2041 00:00:00 GMT", "Tue, 31 Apr 2040 00:00:00 GMT",
        "Tue, 00 Feb 2040 00:00:00 GMT", "Tuesday, 31-Feb-40 00:00:00 GMT", "Tue Feb 31 00:00:00 2040",
        "Tue, 1 Feb 2040 00:00:00 GMT", "Tue, 01 Feb 2040 0:00:00 GMT", "Tue, 01 Feb 2040 00:00:00 UTC",
        "Tue, 01 Feb 2040 00:00:61 GMT", "Tue, +1 Feb 2040 00:00:00 GMT", "Tue, 01 Feb 40 00:00:00 GMT",
        "Tue,  01 Feb 2040 00:00:00 GMT",
        "Tue Feb 1 00:00:00 2040", "Tue, 01-Feb-40 00:00:00 GMT", "Xyz, 01 Feb 2040 00:00:00 GMT",
        "Tuesday, 01-Feb-2040 00:00:00 GMT", "+5", "7 ,", "\u{663}",
    ])
    func aMalformedRetryAfterIsIgnored(value: String) {
        #expect(RetryAfter.delay(value, at: Date()) == nil)
    }

    /// A subscriber is called outside of the locks that tracking holds.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func aSubscriberMayUseTheSDKWhenEventsAreGivenUp(hasLedger: Bool) async throws {
        let ledger = ScriptedLedger()
        let sdk = try Fixture.sdk(transport: ScriptedTransport { _, _ in throw Failure() }) {
            $0.queueCapacity = 1
            if hasLedger { $0.ledger = ledger }
        }
        let told = Atomic(0)
        let context = await sdk.loadContext(visitorID: "v1")
        let subscription = sdk.onEvent { event in
            guard case .eventsRejected(let count, _) = event else { return }
            _ = context.decide("all")
            told.add(count, ordering: .relaxed)
        }
        defer { subscription.cancel() }
        ledger.fail()
        for number in 0..<10 { context.trackConversion("purchase", options: NumberedConversion.options(number)) }
        #expect(await eventually { told.load(ordering: .relaxed) >= 9 })
    }

    /// Without a ledger that can be read nothing of it can be sent, and a flush says so by ending.
    @Test(.timeLimit(.minutes(10))) func aFlushEndsAlthoughTheLedgerCannotBeRead() async throws {
        let ledger = ScriptedLedger()
        ledger.fail([.undelivered])
        let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 200)) { $0.ledger = ledger }
        #expect(await sdk.flush().delivered == 0)
        ledger.heal()
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await eventuallyAsync { await sdk.flush().delivered == 1 })
    }

    /// What the ledger refused to remove is tried again at the end, or the next process would send it again.
    @Test func aShutdownMakesTheLedgerRemoveWhatItRefusedTo() async throws {
        let ledger = ScriptedLedger()
        let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 200)) { $0.ledger = ledger }
        ledger.fail([.remove])
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await eventuallyAsync { await sdk.flush().delivered == 1 })
        #expect(await eventually { ledger.count(.remove) > 0 })
        #expect(await ledger.disk.eventCount == 1)
        ledger.heal()
        await sdk.shutdown(deadline: .seconds(30))
        #expect(await ledger.disk.eventCount == 0)
    }
}
