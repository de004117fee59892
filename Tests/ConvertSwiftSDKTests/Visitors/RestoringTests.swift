import ConvertConcurrency
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// What a process does with claims that an earlier one left in the journal. An SDK on a clock that stands still is a process
/// that ends without a word: it neither saves nor sends anything.
@Suite(.timeLimit(.minutes(10)))
struct RestoringTests {
    private let journal = ListJournal()
    private let store = GatedStore()

    private func sdk(
        clock: StepClock = StepClock(), journal other: (any EventJournal)? = nil,
        _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) {
            $0.journal = other ?? journal
            $0.visitorStore = store
            $0.batchSize = 100_000
            change(&$0)
        }
    }

    /// Leaves a conversion of each visitor in the journal.
    private func leave(_ visitors: Range<Int>) async throws {
        let killed = try sdk()
        for number in visitors {
            #expect(await killed.loadContext(visitorID: "v\(number)").trackConversion("purchase") == .triggered)
        }
    }

    private func forced(_ id: String) -> DecisionOptions { .with { $0.forcedVariationID = id } }

    @Test func aShutdownDoesNotWaitForAStoreThatHangs() async throws {
        try await leave(0..<1)
        let hanging = GatedStore(isOpen: false)
        let next = try sdk { $0.visitorStore = hanging }
        #expect(await eventually { next.engine.records.memory.collect { $1.load }.count == 1 })
        #expect(next.createContext(visitorID: "v0").trackConversion("purchase") == .deferred)
        let report = await next.shutdown(deadline: .zero)
        #expect(report.unsavedVisitors == 1 && journal.count == 2)
        hanging.loads.open()
    }

    @Test func aLongJournalIsReadBeforeLoadsAreAnsweredHoweverLongItTakes() async throws {
        let killed = try sdk { $0.visitorStore = nil }
        for number in 0..<2000 { killed.createContext(visitorID: "w\(number)").trackConversion("purchase") }
        // Without a store it removes claims that it finds; it is not to find any.
        #expect(
            await eventually { !killed.engine.delivery.machine.withLock { $0.state.position?.isRestoring ?? false } })
        try await leave(0..<1)
        let clock = StepClock()
        let slow = SlowJournal(journal, clock: clock, pause: .seconds(2))
        // Events are read no further than there is room, and not sent, so that time passes for claims only.
        let next = try sdk(clock: clock, journal: slow) {
            $0.queueCapacity = 2
            $0.releaseInterval = .seconds(1 << 30)
        }
        let context = next.createContext(visitorID: "v0")
        #expect(context.trackConversion("purchase", revenue: 1) == .deferred)
        let isLoaded = Latch()
        let loading = Task {
            await context.waitUntilLoaded(atMost: .seconds(86_400))
            isLoaded.open()
        }
        #expect(
            await eventually {
                slow.endPause()
                return isLoaded.isOpen
            })
        await loading.value
        #expect(clock.now >= .seconds(16), "more than eight pages")
        #expect(context.trackConversion("purchase", revenue: 1) == .alreadyTriggered)
        #expect(next.deliveryCounts.accepted == 0)
        withExtendedLifetime(killed) {}
    }

    @Test func aJournalThatCannotBeReadHoldsUpLoadsForTenSecondsAndIsReadLater() async throws {
        try await leave(0..<1)
        var stored = VisitorState()
        stored.apply(.goal("purchase"))
        try await store.inner.save(stored, for: "10-20-v1")
        let (clock, logger, unreadable) = (StepClock(), RecordingLogger(), UnreadableJournal(journal))
        let next = try sdk(clock: clock, journal: unreadable) { $0.logger = logger }
        let contexts = ["v1", "v2"].map { next.createContext(visitorID: $0) }
        for context in contexts { #expect(context.trackConversion("purchase") == .deferred) }
        let isLoaded = Latch()
        let loading = Task {
            for context in contexts { await context.waitUntilLoaded(atMost: .seconds(86_400)) }
            isLoaded.open()
        }
        #expect(
            await eventually {
                if clock.now < .seconds(9) { clock.advance(by: .milliseconds(100)) }
                return clock.now >= .seconds(9)
            })
        #expect(!isLoaded.isOpen)
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(100))
                return isLoaded.isOpen
            })
        await loading.value
        // The store was asked, and only what the journal has is not known.
        #expect(next.deliveryCounts.accepted == 1)
        #expect(logger.warnings.contains { $0.contains("journal cannot be read") })
        unreadable.isReadable.store(true, ordering: .relaxed)
        #expect(
            await eventually {
                clock.advance(by: .seconds(60))
                await next.flush()
                return store.savedKeys.contains("10-20-v0")
            })
        #expect(await next.loadContext(visitorID: "v0").trackConversion("purchase") == .alreadyTriggered)
    }

    @Test func whatComesAfterTheFirstPortionCountsOnceItIsRead() async throws {
        try await leave(0..<600)
        let saves = Latch()
        store.holdSaves(until: saves)
        let next = try sdk(clock: StepClock()) { $0.storeQueueCapacity = 8 }
        // The first page is a portion, since no more fit; what is behind it waits until that is saved.
        #expect(await next.loadContext(visitorID: "v0").trackConversion("purchase") == .alreadyTriggered)
        #expect(await next.loadContext(visitorID: "v599").trackConversion("purchase") == .triggered)
        saves.open()
        #expect(
            await eventually {
                await next.flush()
                return Set(store.savedKeys).count == 600
            })
        #expect(await next.loadContext(visitorID: "v300").trackConversion("purchase") == .alreadyTriggered)
    }

    @Test func aRecordThatCannotBeReadHoldsUpNobodyElse() async throws {
        try await leave(0..<260)
        let (clock, patchy) = (StepClock(), PatchyStore(inner: store, unreadable: "10-20-v0"))
        // Several portions.
        let next = try sdk(clock: clock) {
            $0.visitorStore = patchy
            $0.storeQueueCapacity = 100
        }
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(10))
                await next.flush()
                return Set(store.savedKeys).count == 259
            })
        #expect(!store.savedKeys.contains("10-20-v0"))
        #expect(await eventually { next.engine.records.unsavedCount == 1 })
        #expect(await next.loadContext(visitorID: "v259").trackConversion("purchase") == .alreadyTriggered)
    }

    @Test func aLoadThatDoesNotReturnIsNotMadeAgainAndHoldsUpNobodyElse() async throws {
        try await leave(0..<20)
        let (clock, hanging) = (StepClock(), HangingStore(inner: store, hanging: "10-20-v0"))
        let next = try sdk(clock: clock) { $0.visitorStore = hanging }
        #expect(
            await eventually {
                clock.advance(by: .seconds(10))
                await next.flush()
                return Set(store.savedKeys).count == 19
            })
        for _ in 0..<100 {
            clock.advance(by: .seconds(60))
            await Task.yield()
        }
        #expect(hanging.count == 1)
        hanging.gate.open()
        #expect(
            await eventually {
                clock.advance(by: .seconds(60))
                await next.flush()
                return Set(store.savedKeys).count == 20
            })
    }

    @Test func callsOfAJournalThatDoNotReturnAreNotMadeAgain() async throws {
        try await leave(0..<300)
        let (clock, hanging) = (StepClock(), HangingJournal(journal))
        // Events are read on once there is room, and claims in two pages; both hang then.
        let next = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 200)) {
            $0.journal = hanging
            $0.visitorStore = store
            $0.queueCapacity = 100
        }
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return hanging.count == (4, 1)
            })
        for _ in 0..<200 {
            clock.advance(by: .seconds(60))
            await Task.yield()
        }
        #expect(hanging.count == (4, 1))
        hanging.letGo()
        withExtendedLifetime(next) {}
    }

    @Test func loadsForThemCountAmongAllLoads() async throws {
        try await leave(0..<20)
        let (clock, hanging) = (StepClock(), GatedStore(isOpen: false))
        let next = try sdk(clock: clock) {
            $0.visitorStore = hanging
            $0.storeLoadLimit = 3
        }
        let records = next.engine.records
        #expect(await eventually { records.state.withLock { $0.loadCount } == 3 })
        for _ in 0..<100 {
            clock.advance(by: .seconds(10))
            await Task.yield()
            #expect(records.state.withLock { $0.loadCount } <= 3)
        }
        hanging.loads.open()
        #expect(
            await eventually {
                clock.advance(by: .seconds(60))
                await next.flush()
                return Set(hanging.savedKeys).count == 20
            })
    }

    @Test func anOlderClaimDoesNotReplaceADecisionOfThisProcess() async throws {
        let killed = try sdk()
        await killed.loadContext(visitorID: "v1").selectVariation("all", options: forced("900"))
        let hanging = GatedStore(isOpen: false)
        let next = try sdk { $0.visitorStore = hanging }
        let records = next.engine.records
        let key = "10-20-v1"
        #expect(await eventually { records.memory.collect { $1.load }.count == 1 })
        // By a context that could not load the record, and untracked: the journal has no row for it.
        let change = VisitorStateChange.bucketing(experienceID: "90", variationID: "901")
        var claim = VisitorClaim()
        claim.decisions = [VisitorClaim.Decision(experience: "90", variation: "901")]
        #expect(records.commit([change], claiming: claim, for: PropertyKey(key)) == .made(.writer))
        hanging.loads.open()
        #expect(
            await eventually {
                await next.flush()
                return records.unsavedCount == 0
            })
        #expect(try await hanging.inner.load(key)?.bucketing == ["90": "901"])
        #expect(records.memory.record(PropertyKey(key))?.bucketing == ["90": "901"])
        withExtendedLifetime(killed) {}
    }

    @Test func aRestartDecidesAsTheProcessDidThatHeldADecisionAndItsSuccessor() async throws {
        let arm = try Fixture.sdk().createContext(visitorID: "v1").selectVariation("all")?.variationID ?? ""
        let other = arm == "900" ? "901" : "900"
        for stored in [arm, other] {
            let (journal, store) = (ListJournal(), GatedStore())
            var record = VisitorState()
            record.apply(.bucketing(experienceID: "90", variationID: .string(stored)))
            try await store.inner.save(record, for: "10-20-v1")
            let answers = Latch()
            store.holdAnswers(until: answers)
            let killed = try sdk(journal: journal) { $0.visitorStore = store }
            let context = killed.createContext(visitorID: "v1")
            #expect(context.selectVariation("all")?.variationID == arm)
            #expect(context.selectVariation("all", options: forced(other))?.variationID == other)
            answers.open()
            await context.waitUntilLoaded(atMost: .seconds(5))
            let live = context.selectVariation("all")?.variationID
            #expect(live == other, "the second replaced the first, or is what was stored")
            let next = try sdk(journal: journal) { $0.visitorStore = store }
            #expect(await next.loadContext(visitorID: "v1").selectVariation("all")?.variationID == live)
        }
    }

    @Test func aClaimThatIsNoneIsRemoved() async throws {
        _ = try journal.append([Data(#"{"claim":{"visitor":7}}"#.utf8), Data(#"{"claim":"#.utf8)])
        let next = try sdk()
        #expect(await eventually { journal.count == 0 })
        #expect(await next.loadContext(visitorID: "v1").trackConversion("purchase") == .triggered)
    }

    @Test func withoutAStoreClaimsLeaveTheJournal() async throws {
        try await leave(0..<5)
        let next = try sdk { $0.visitorStore = nil }
        #expect(await eventually { journal.count == 5 })
        #expect(next.deliveryCounts.restored == 5)
    }
}
