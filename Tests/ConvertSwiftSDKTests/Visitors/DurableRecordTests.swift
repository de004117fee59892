import ConvertConcurrency
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// What a journal and a store promise together about a process that ends without a word. Such a process is an SDK on a clock
/// that stands still: it neither saves nor sends anything.
@Suite(.timeLimit(.minutes(10)))
struct DurableRecordTests {
    private let journal = ListJournal()
    private let store = GatedStore()

    private func sdk(
        clock: StepClock = StepClock(), transport: ScriptedTransport = ScriptedTransport(status: 500),
        _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        try Fixture.sdk(clock: clock, transport: transport) {
            $0.journal = journal
            $0.visitorStore = store
            $0.batchSize = 1000
            change(&$0)
        }
    }

    private func decision(_ variation: String) -> VisitorState {
        var state = VisitorState()
        state.apply(.bucketing(experienceID: "90", variationID: .string(variation)))
        return state
    }

    /// The kinds of rows that the journal holds: e for an event, c for a claim.
    private var rows: String {
        journal.state.withLock { state in
            String(
                state.entries.map { entry -> Character in
                    switch JournalRow(entry) {
                    case .event: "e"
                    case .claim: "c"
                    case .unreadable: "?"
                    }
                })
        }
    }

    private func forced(_ id: String) -> DecisionOptions { .with { $0.forcedVariationID = id } }

    @Test func whatTheJournalAcknowledgedIsNotForgottenThoughTheStoreNeverGotIt() async throws {
        let killed = try sdk()
        for number in 0..<20 {
            let context = await killed.loadContext(visitorID: "v\(number)")
            // By turns, so that half of them are where the hash does not put them.
            #expect(context.selectVariation("all", options: forced(number % 2 == 0 ? "900" : "901")) != nil)
            #expect(context.trackConversion("purchase", revenue: 9.9) == .triggered)
        }
        #expect(store.savedKeys.isEmpty)
        #expect(rows == String(repeating: "eceec", count: 20))
        let next = try sdk()
        for number in 0..<20 {
            let context = await next.loadContext(visitorID: "v\(number)")
            #expect(context.selectVariation("all")?.variationID == (number % 2 == 0 ? "900" : "901"))
            #expect(context.selectVariation("all")?.source == .stored)
            #expect(context.trackConversion("purchase", revenue: 9.9) == .alreadyTriggered)
        }
        #expect(next.deliveryCounts.accepted == 0)
        #expect(
            await eventuallyAsync {
                await next.flush(); return next.engine.records.unsavedCount == 0
            })
        #expect(await eventually { rows == String(repeating: "eee", count: 20) }, "claims leave once they are saved")
        #expect(try await store.inner.load("10-20-v1")?.bucketing == ["90": "901"])
        #expect(try await store.inner.load("10-20-v1")?.goals == ["purchase": true])
        withExtendedLifetime(killed) {}
    }

    @Test func eventsLeaveWhenTheyAreDeliveredAndClaimsWhenTheyAreSaved() async throws {
        store.isFailing = true
        let killed = try sdk(transport: ScriptedTransport(status: 200))
        let context = await killed.loadContext(visitorID: "v1")
        context.selectVariation("all")
        context.trackConversion("purchase")
        await killed.flush()
        #expect(await eventually { rows == "cc" })
        store.isFailing = false
        let transport = ScriptedTransport(status: 200)
        let next = try sdk(transport: transport)
        #expect(await next.loadContext(visitorID: "v1").trackConversion("purchase") == .alreadyTriggered)
        let report = await next.shutdown(deadline: .seconds(60))
        #expect(report.isComplete && rows.isEmpty && transport.requests.isEmpty, "nothing is sent again")
        withExtendedLifetime(killed) {}
    }

    @Test func aDecisionMadeBeforeTheRecordWasThereGivesWayToAStoredOneAfterARestartToo() async throws {
        let arm = try Fixture.sdk().createContext(visitorID: "v1").selectVariation("all")?.variationID
        let other = arm == "900" ? "901" : "900"
        try await store.inner.save(decision(other), for: "10-20-v1")
        let answers = Latch()
        store.holdAnswers(until: answers)
        let killed = try sdk()
        let early = killed.createContext(visitorID: "v1")
        #expect(early.selectVariation("all")?.variationID == arm)
        #expect(rows == "ec")
        answers.open()
        await early.waitUntilLoaded(atMost: .seconds(5))
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").selectVariation("all")?.variationID == other)
        await next.flush()
        #expect(await eventually { rows == "e" })
        #expect(try await store.inner.load("10-20-v1")?.bucketing == ["90": .string(other)])
        withExtendedLifetime(killed) {}
    }

    @Test func whatAnotherProcessDecidedLaterIsNotUndone() async throws {
        let killed = try sdk()
        await killed.loadContext(visitorID: "v1").selectVariation("all", options: forced("900"))
        try await store.inner.save(decision("901"), for: "10-20-v1")
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").selectVariation("all")?.variationID == "901")
        withExtendedLifetime(killed) {}
    }

    @Test func aDecisionThatReplacedAStoredOneReplacesItAfterARestart() async throws {
        try await store.inner.save(decision("900"), for: "10-20-v1")
        let killed = try sdk()
        await killed.loadContext(visitorID: "v1").selectVariation("all", options: forced("901"))
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").selectVariation("all")?.variationID == "901")
        withExtendedLifetime(killed) {}
    }

    @Test func whatIsNotStoredClaimsNothing() async throws {
        let sdk = try sdk()
        let context = await sdk.loadContext(visitorID: "v1")
        context.selectVariation("all", options: .with { $0.isStorageEnabled = false })
        #expect(rows == "e")
        context.setPreview(experienceID: "90", variationID: "900")
        context.trackConversion("purchase")
        #expect(rows == "e")
    }

    @Test func whileTrackingIsOffClaimsAreKeptAsWell() async throws {
        let killed = try sdk { $0.isTrackingEnabled = false }
        await killed.loadContext(visitorID: "v1").trackConversion("purchase")
        #expect(rows == "ec")
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").trackConversion("purchase") == .alreadyTriggered)
        withExtendedLifetime(killed) {}
    }

    @Test func withoutAStoreTheJournalKeepsEventsOnly() throws {
        let sdk = try sdk { $0.visitorStore = nil }
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(rows == "e")
    }

    @Test func whatFindsNoRoomStaysInTheJournalAndIsSavedOnceThereIsSome() async throws {
        store.isFailing = true
        let (logger, clock) = (RecordingLogger(), StepClock())
        let sdk = try sdk(clock: clock) {
            $0.storeQueueCapacity = 4
            $0.logger = logger
        }
        for number in 0..<20 {
            #expect(await sdk.loadContext(visitorID: "v\(number)").trackConversion("purchase") == .triggered)
        }
        #expect(sdk.engine.records.unsavedCount == 20)
        #expect(logger.warnings.count { $0.contains("dropped") } == 1)
        store.isFailing = false
        #expect(
            await eventuallyAsync {
                clock.advance(by: .seconds(60))
                await sdk.flush()
                return Set(store.savedKeys).count == 20
            })
        #expect(await eventually { !rows.contains("c") })
    }

    @Test func moreThanThereIsRoomForIsTakenOverInPortions() async throws {
        let killed = try sdk()
        for number in 0..<50 { await killed.loadContext(visitorID: "v\(number)").trackConversion("purchase") }
        let clock = StepClock()
        let next = try sdk(clock: clock) { $0.storeQueueCapacity = 7 }
        #expect(
            await eventuallyAsync {
                clock.advance(by: .seconds(60))
                await next.flush()
                return Set(store.savedKeys).count == 50
            })
        #expect(await eventually { !rows.contains("c") })
        withExtendedLifetime(killed) {}
    }
}
