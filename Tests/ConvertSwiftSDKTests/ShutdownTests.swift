import ConvertConcurrency
import ConvertTestSupport
import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct ShutdownTests {
    @Test func whatWaitsIsDeliveredAndSaved() async throws {
        let store = GatedStore()
        let transport = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(transport: transport) { $0.visitorStore = store }
        for index in 0..<25 { await sdk.loadContext(visitorID: "v\(index)").trackConversion("purchase") }
        let report = await sdk.shutdown(deadline: .seconds(10))
        #expect(report.isComplete && report.events.delivered == 25)
        #expect(store.savedKeys.count == 25)
        #expect(await sdk.shutdown(deadline: .seconds(10)) == report)
    }

    @Test func theJournalForgetsWhatWasDeliveredBeforeTheEnd() async throws {
        let journal = ListJournal()
        let sdk = try Fixture.sdk { $0.journal = journal }
        for index in 0..<25 { sdk.createContext(visitorID: "v\(index)").trackConversion("purchase") }
        let report = await sdk.shutdown(deadline: .seconds(10))
        #expect(report.isComplete && report.events.delivered == 25 && journal.count == 0)
    }

    @Test(.timeLimit(.minutes(10))) func whatCannotBeDeliveredIsSaid() async throws {
        let clock = StepClock()
        let store = GatedStore()
        let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) { $0.visitorStore = store }
        for index in 0..<5 {
            await sdk.loadContext(visitorID: "v\(index)").trackConversion("purchase")
        }
        store.isFailing = true
        async let shutdown = sdk.shutdown(deadline: .seconds(3))
        let ticking = Task {
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(50))
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        let report = await shutdown
        ticking.cancel()
        #expect(report.events.queued == 5 && report.unsavedVisitors == 5 && !report.isComplete)
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

    @Test func afterwardsContextsDecideAndWhatTheyTrackIsGivenUp() async throws {
        let sdk = try Fixture.sdk()
        await sdk.shutdown(deadline: .seconds(1))
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.selectVariation("all") != nil)
        #expect(context.trackConversion("purchase") == .shutDown)
        #expect(sdk.deliveryCounts.rejected == [.shutDown: 2])
        #expect(await sdk.flush().queued == 0)
    }

    @Test func whatIsTooLateToBeReportedIsNotStoredEither() async throws {
        let store = GatedStore()
        let ended = try Fixture.sdk { $0.visitorStore = store }
        await ended.shutdown(deadline: .seconds(1))
        let late = await ended.loadContext(visitorID: "v1")
        #expect(late.selectVariation("all") != nil)
        #expect(late.trackConversion("purchase") == .shutDown)
        await ended.flush()
        #expect(store.savedKeys.isEmpty && ended.engine.records.unsavedCount == 0)
        let next = try Fixture.sdk { $0.visitorStore = store }
        let context = await next.loadContext(visitorID: "v1")
        #expect(context.selectVariation("all") != nil)
        #expect(context.trackConversion("purchase") == .triggered)
        #expect(next.deliveryCounts.accepted == 2)
    }

    /// A store without a journal has the goal of each conversion that was taken, and of no other.
    @Test(.timeLimit(.minutes(10))) func whatIsTrackedWhileItEndsIsReportedAndStoredOrNeither() async throws {
        for _ in 0..<caseCount(20) {
            let store = GatedStore()
            let clock = StepClock()
            let sdk = try Fixture.sdk(clock: clock) { $0.visitorStore = store }
            var contexts: [ConvertContext] = []
            for number in 0..<40 { contexts.append(await sdk.loadContext(visitorID: "v\(number)")) }
            let all = contexts
            async let first = aside { all.prefix(20).map { $0.trackConversion("purchase") } }
            async let second = aside { all.suffix(20).map { $0.trackConversion("purchase") } }
            async let report = sdk.shutdown(deadline: .seconds(86_400))
            let ticking = Task {
                while !Task.isCancelled {
                    clock.advance(by: .milliseconds(50))
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
            defer { ticking.cancel() }
            let outcomes = try await first + second
            let taken = outcomes.count { $0 == .triggered }
            #expect(outcomes.count { $0 == .shutDown } == 40 - taken)
            _ = await report
            #expect(sdk.deliveryCounts.rejected == (taken < 40 ? [.shutDown: 40 - taken] : [:]))
            #expect(sdk.deliveryCounts.delivered + sdk.deliveryCounts.queued == taken)
            #expect(store.savedKeys.count == taken)
        }
    }

    @Test func aContextThatOutlivesTheSDKIsSavedAndDelivered() async throws {
        let (store, transport, clock) = (GatedStore(), ScriptedTransport(status: 200), StepClock())
        var sdk: ConvertSDK? = try Fixture.sdk(clock: clock, transport: transport) { $0.visitorStore = store }
        let context = await sdk?.loadContext(visitorID: "v1")
        sdk = nil
        #expect(context?.trackConversion("purchase") == .triggered)
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return store.savedKeys == ["10-20-v1"] && transport.events.count == 1
            })
        withExtendedLifetime(context) {}
    }

    @Test(arguments: [false, true]) func changesMadeWhileARecordIsLoadedAreSavedOrCounted(isAnswering: Bool)
        async throws
    {
        let store = GatedStore(isOpen: false)
        // On a clock that stands still, so that no load is given up for taking too long.
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        for _ in 0..<2 { sdk.createContext(visitorID: "v1").selectVariation("all") }
        _ = sdk.createContext(visitorID: "undecided")
        #expect(sdk.engine.records.unsavedCount == 1)
        async let shutdown = sdk.shutdown(deadline: isAnswering ? .seconds(60) : .zero)
        if isAnswering {
            #expect(await eventually { sdk.deliveryCounts.delivered > 0 })
            store.loads.open()
        }
        let report = await shutdown
        #expect(report.isComplete == (report.unsavedVisitors == 0))
        // Without an answer, saving takes a moment, and there was none.
        if report.unsavedVisitors == 0 {
            #expect(store.savedKeys == ["10-20-v1"])
        } else {
            #expect(report.unsavedVisitors == 1 && !isAnswering)
        }
        store.loads.open()
    }

    @Test func aStoreThatFailsIsTriedAgainUntilTheDeadline() async throws {
        let store = GatedStore()
        let clock = StepClock()
        let sdk = try Fixture.sdk(clock: clock) { $0.visitorStore = store }
        for index in 0..<5 { await sdk.loadContext(visitorID: "v\(index)").selectVariation("all") }
        store.isFailing = true
        async let shutdown = sdk.shutdown(deadline: .seconds(10))
        for attempt in 1...3 {
            #expect(await eventually { store.savesBegun == 5 * attempt && clock.isAwaited(in: .milliseconds(100)) })
            store.isFailing = attempt < 3
            clock.advance(by: .milliseconds(100))
        }
        #expect(await shutdown.isComplete)
        #expect(store.savedKeys.count == 5)
    }

    @Test func inACancelledTaskItDeliversAndSavesAndAnotherCallWaitsForIt() async throws {
        let (answers, saves) = (Latch(), Latch())
        let store = GatedStore()
        store.holdSaves(until: saves)
        let transport = ScriptedTransport { _, _ in
            _ = await answers.wait()
            return HTTPResponse(status: 200)
        }
        let sdk = try Fixture.sdk(transport: transport) { $0.visitorStore = store }
        await sdk.loadContext(visitorID: "v1").trackConversion("purchase")
        let first = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await sdk.shutdown(deadline: .seconds(10))
        }
        #expect(await eventually { transport.requests.count == 1 && store.savesBegun == 1 })
        let impatient = await sdk.shutdown(deadline: .zero)
        #expect(impatient.events.queued == 1 && impatient.unsavedVisitors == 1)
        let others = (0..<2).map { index in
            Task {
                if index == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                return await sdk.shutdown(deadline: .seconds(10))
            }
        }
        answers.open()
        // The first call is not over before the visitors are saved as well, and no other is before it.
        #expect(await eventually { sdk.deliveryCounts.delivered == 1 })
        saves.open()
        for report in [await first.value, await others[0].value, await others[1].value] {
            #expect(report.isComplete && report.events.delivered == 1)
        }
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
