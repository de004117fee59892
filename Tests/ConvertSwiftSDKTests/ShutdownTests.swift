import ConvertLedgers
import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct ShutdownTests {
    @Test func waitingEventsAreDeliveredAndLeaveTheLedger() async throws {
        let (ledger, transport) = (ScriptedLedger(), ScriptedTransport(status: 200))
        let sdk = try Fixture.sdk(transport: transport) { $0.ledger = ledger }
        for index in 0..<25 { await sdk.loadContext(visitorID: "v\(index)").trackConversion("purchase") }
        let report = await sdk.shutdown(deadline: .seconds(10))
        #expect(report.isComplete && report.events.delivered == 25)
        for index in 0..<25 { #expect(try await ledger.disk.record("v\(index)")?.goals == ["purchase": true]) }
        #expect(await ledger.disk.eventCount == 0)
        #expect(await sdk.shutdown(deadline: .seconds(10)) == report)
    }

    @Test(.timeLimit(.minutes(10))) func theReportCountsEventsThatCannotBeDelivered() async throws {
        let (clock, ledger) = (StepClock(), ScriptedLedger())
        let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) { $0.ledger = ledger }
        ledger.fail([.commit])
        for index in 0..<5 { await sdk.loadContext(visitorID: "v\(index)").trackConversion("purchase") }
        async let shutdown = sdk.shutdown(deadline: .seconds(3))
        let ticking = clock.tick(by: .milliseconds(50))
        let report = await shutdown
        ticking.cancel()
        #expect(report.events.queued == 5 && report.unstoredEntries == 5)
        #expect(!report.areEventsStored && !report.isComplete)
    }

    @Test func anEventThatWasGivenUpMakesTheReportIncomplete() async throws {
        let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 400))
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await sdk.flush().rejected == [.refused(status: 400): 1])
        // It was given up before the end, and is missing all the same.
        let report = await sdk.shutdown(deadline: .seconds(10))
        #expect(!report.isComplete && report.description.hasPrefix("1 events given up; events: "))
    }

    @Test func aPauseBeyondTheDeadlineEndsItAtOnce() async throws {
        let transport = ScriptedTransport { _, _ in HTTPResponse(status: 429, headers: ["Retry-After": "600"]) }
        let sdk = try Fixture.sdk(transport: transport)
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        await sdk.flush()
        let report = await sdk.shutdown(deadline: .seconds(500))
        #expect(report.events.queued == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func afterAShutdownContextsDecideAndTheirEventsAreGivenUp() async throws {
        let sdk = try Fixture.sdk()
        await sdk.shutdown(deadline: .seconds(1))
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.decide("all").variation != nil)
        #expect(context.trackConversion("purchase") == .shutDown)
        #expect(sdk.deliveryCounts.rejected == [.shutDown: 2])
        #expect(await sdk.flush().queued == 0)
    }

    @Test func aDecisionTooLateToBeReportedIsNotStored() async throws {
        let disk = MemoryLedger()
        let ended = try Fixture.sdk { $0.ledger = ScriptedLedger(disk) }
        await ended.shutdown(deadline: .seconds(1))
        let late = ended.createContext(visitorID: "v1", attributes: ["country": "US"])
        #expect(late.decide("all").variation != nil)
        #expect(late.trackConversion("purchase") == .shutDown)
        late.setDefaultSegments(["country": "DE"])
        await ended.flush()
        #expect(try await disk.record("v1") == nil)
        let next = try Fixture.sdk { $0.ledger = ScriptedLedger(disk) }
        let context = await next.loadContext(visitorID: "v1")
        #expect(context.decide("all").variation != nil)
        #expect(context.trackConversion("purchase") == .triggered)
        #expect(next.deliveryCounts.accepted == 2)
    }

    /// A ledger has the goal of each conversion that was taken, and of no other.
    @Test(.timeLimit(.minutes(10))) func eventsDuringTheShutdownAreReportedAndStoredOrNeither() async throws {
        for _ in 0..<caseCount(20) {
            let (clock, ledger) = (StepClock(), ScriptedLedger())
            let sdk = try Fixture.sdk(clock: clock) { $0.ledger = ledger }
            var contexts: [ConvertContext] = []
            for number in 0..<40 { contexts.append(await sdk.loadContext(visitorID: "v\(number)")) }
            let all = contexts
            async let first = aside { all.prefix(20).map { $0.trackConversion("purchase") } }
            async let second = aside { all.suffix(20).map { $0.trackConversion("purchase") } }
            async let report = sdk.shutdown(deadline: .seconds(86_400))
            let ticking = clock.tick(by: .milliseconds(50))
            defer { ticking.cancel() }
            let outcomes = try await first + second
            let taken = outcomes.count { $0 == .triggered }
            #expect(outcomes.count { $0 == .shutDown } == 40 - taken)
            _ = await report
            let counts = sdk.deliveryCounts
            #expect(counts.rejected == (taken < 40 ? [.shutDown: 40 - taken] : [:]))
            #expect(counts.delivered + counts.queued == taken)
            var storedCount = 0
            for number in 0..<40 where try await ledger.disk.record("v\(number)") != nil { storedCount += 1 }
            #expect(storedCount == taken)
            #expect(await ledger.disk.eventCount == counts.queued)
        }
    }

    @Test func aContextThatOutlivesTheSDKIsStoredAndDelivered() async throws {
        let (ledger, transport, clock) = (ScriptedLedger(), ScriptedTransport(status: 200), StepClock())
        var sdk: ConvertSDK? = try Fixture.sdk(clock: clock, transport: transport) { $0.ledger = ledger }
        var context = await sdk?.loadContext(visitorID: "v1")
        sdk = nil
        #expect(context?.trackConversion("purchase") == .triggered)
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return transport.events.count == 1
            })
        #expect(try await ledger.disk.record("v1")?.goals == ["purchase": true])
        #expect(ledger.closeCount == 0)
        context = nil
        #expect(await eventually { ledger.closeCount == 1 }, "an SDK that was never shut down leaves no owner behind")
    }

    @Test func aLedgerThatFailsIsTriedAgainUntilTheDeadline() async throws {
        let (clock, ledger) = (StepClock(), ScriptedLedger())
        let sdk = try Fixture.sdk(clock: clock) { $0.ledger = ledger }
        ledger.fail([.commit])
        for index in 0..<5 { await sdk.loadContext(visitorID: "v\(index)").decide("all") }
        async let shutdown = sdk.shutdown(deadline: .seconds(20))
        #expect(
            await eventually {
                if clock.now < .seconds(10) { clock.advance(by: .milliseconds(100)) }
                return ledger.count(.commit) >= 3
            })
        ledger.heal()
        let ticking = clock.tick(by: .milliseconds(20))
        let report = await shutdown
        ticking.cancel()
        #expect(report.isComplete && report.events.delivered == 5)
        for index in 0..<5 { #expect(try await ledger.disk.record("v\(index)") != nil) }
    }

    @Test func inACancelledTaskItStoresAndDeliversAndAnotherCallWaitsForIt() async throws {
        let (answers, ledger) = (Latch(), ScriptedLedger())
        let commits = ledger.hold(.commit)
        let transport = ScriptedTransport { _, _ in
            _ = await answers.wait()
            return HTTPResponse(status: 200)
        }
        let sdk = try Fixture.sdk(transport: transport) { $0.ledger = ledger }
        await sdk.loadContext(visitorID: "v1").trackConversion("purchase")
        let first = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await sdk.shutdown(deadline: .seconds(10))
        }
        #expect(await eventually { ledger.count(.commit) == 1 })
        let impatient = await sdk.shutdown(deadline: .zero)
        #expect(impatient.events.queued == 1 && impatient.unstoredEntries == 1)
        let others = (0..<2).map { index in
            Task {
                if index == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                return await sdk.shutdown(deadline: .seconds(10))
            }
        }
        commits.open()
        #expect(await eventually { transport.requests.count == 1 })
        answers.open()
        for report in [await first.value, await others[0].value, await others[1].value] {
            #expect(report.isComplete && report.events.delivered == 1)
        }
    }

    @Test func theLedgerIsClosedOnceAndNotCalledAnyMore() async throws {
        for round in 0..<caseCount(20) {
            let (clock, ledger) = (StepClock(), ScriptedLedger(isShared: true, takeoverInterval: .seconds(1)))
            let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: round % 2 == 0 ? 200 : 500)) {
                $0.ledger = ledger
            }
            let contexts = (0..<20).map { sdk.createContext(visitorID: "v\($0)") }
            let ticking = clock.tick(by: .milliseconds(100))
            async let late = aside { contexts.map { $0.trackConversion("purchase") } }
            _ = await (sdk.shutdown(deadline: .seconds(round % 5)), sdk.shutdown(deadline: .seconds(20)))
            _ = try await late
            #expect(await eventually { ledger.closeCount == 1 })
            let afterwards = await sdk.loadContext(visitorID: "afterwards")
            #expect(afterwards.decide("all").variation != nil)
            await sdk.flush()
            for _ in 0..<100 { await Task.yield() }
            ticking.cancel()
            #expect(ledger.callsAfterClose == 0 && ledger.closeCount == 1, "round \(round)")
        }
    }

    @Test func aLedgerThatHangsIsClosedAndHoldsUpNoShutdown() async throws {
        let (clock, ledger, logger) = (StepClock(), ScriptedLedger(), RecordingLogger())
        let commits = ledger.hold(.commit)
        let sdk = try Fixture.sdk(clock: clock) { ($0.ledger, $0.logger) = (ledger, logger) }
        await sdk.loadContext(visitorID: "v1").trackConversion("purchase")
        let ticking = clock.tick(by: .milliseconds(100))
        let report = await sdk.shutdown(deadline: .seconds(5))
        #expect(report.unstoredEntries == 1 && report.events.queued == 1 && !report.areEventsStored)
        #expect(logger.warnings.contains { $0.contains("had not stored 1 entries") })
        #expect(await eventually { ledger.closeCount == 1 })
        ticking.cancel()
        commits.open()
    }

    /// A transport that never answers, on a real clock: the deadline is all that ends it.
    @Test(.timeLimit(.minutes(10))) func nothingOutlastsTheDeadline() async throws {
        let never = Latch()
        let transport = ScriptedTransport { _, _ in
            // Deaf to cancellation.
            _ = await Task.detached { await never.wait() }.value
            throw Failure()
        }
        let sdk = ConvertSDK(config: try Fixture.config(), transport: transport)
        for index in 0..<20 { sdk.createContext(visitorID: "v\(index)").trackConversion("purchase") }
        let report = await sdk.shutdown(deadline: .milliseconds(200))
        #expect(report.events.queued == 20)
        never.open()
    }

    @Test(.timeLimit(.minutes(10))) func aFetchThatIsUnderWayDoesNotHoldItUp() async throws {
        let never = Latch()
        let transport = ScriptedTransport { _, _ in
            // Deaf to cancellation.
            _ = await Task.detached { await never.wait() }.value
            throw Failure()
        }
        let sdk = ConvertSDK(sdkKey: "10/20", transport: transport)
        #expect(await eventually { transport.requests.count == 1 })
        #expect(await sdk.shutdown(deadline: .seconds(5)).isComplete)
        never.open()
    }
}
