import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

/// Journals that cannot append, read or remove for a while.
@Suite(.timeLimit(.minutes(10)))
struct FailingJournalTests {
    @Test(arguments: [DeliveryPolicy.Overflow.dropNewest, .dropOldest])
    func whatTheJournalHasIsNotGivenUpForWantOfRoom(overflow: DeliveryPolicy.Overflow) {
        var policy = DeliveryPolicy()
        policy.capacity = 10
        policy.overflow = overflow
        var simulation = DeliverySimulation(seed: 3, policy: policy, leftBehind: 0)
        simulation.handle(.started)
        simulation.answerRead()
        for _ in 0..<40 { simulation.track(visitor: 2) }
        simulation.answer(.failed(status: 500, retryAfter: .seconds(5)))
        simulation.isDiskFull = true
        for _ in 0..<20 { simulation.track(visitor: 2) }
        let lost = simulation.state.counts.rejectedTotal
        #expect(lost == 15, "half of the memory is for what the journal cannot take")
        simulation.isDiskFull = false
        for _ in 0..<1000 { simulation.track(visitor: 2) }
        #expect(simulation.state.counts.rejectedTotal == lost && simulation.journal?.count == 1040)
        simulation.settle()
        #expect(simulation.arrived.count == 1045 && simulation.sumHolds)
    }

    @Test func whatTheJournalCouldNotTakeKeepsItsPlaceAmongWhatItHas() {
        var policy = DeliveryPolicy()
        policy.capacity = 10
        var simulation = DeliverySimulation(seed: 3, policy: policy, leftBehind: 0)
        simulation.handle(.started)
        simulation.answerRead()
        for _ in 0..<15 { simulation.track(visitor: 2) }
        simulation.answer(.delivered)
        simulation.read = nil
        for round in 0..<3 {
            simulation.isDiskFull = true
            for _ in 0..<2 { simulation.track(visitor: 2) }
            simulation.isDiskFull = false
            for _ in 0..<20 { simulation.track(visitor: 2) }
            #expect(simulation.state.counts.rejectedTotal == 0, "round \(round)")
        }
        simulation.handle(.readFailed)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...81).map { .integer($0) })
    }

    /// A journal that counts calls of `append`.
    private final class CountingJournal: EventJournal {
        let inner = ListJournal()
        private let calls = Atomic(0)

        var callCount: Int { calls.load(ordering: .relaxed) }

        func append(_ records: [Data]) throws -> [Int64] {
            calls.add(1, ordering: .relaxed)
            return try inner.append(records)
        }

        func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
            try await inner.events(after: id, limit: limit)
        }

        func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
    }

    @Test func afterAFailureOneAttemptAtATimeIsMadeAndCatchesUp() async throws {
        let (journal, clock) = (CountingJournal(), StepClock())
        let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) {
            $0.journal = journal
            $0.batchSize = 100_000
        }
        await sdk.flush()
        func track(_ numbers: Range<Int>) {
            for number in numbers { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        }
        track(0..<10)
        journal.inner.isFailing = true
        track(10..<500)
        #expect(journal.callCount == 11, "no call after the one that failed")
        clock.advance(by: .seconds(1))
        #expect(await eventually { journal.callCount == 12 && clock.nextDeadline != nil })
        journal.inner.isFailing = false
        track(500..<1200)
        #expect(journal.callCount == 12)
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return journal.inner.count == 1200
            })
        #expect(journal.callCount <= 16, "in portions")
        #expect(
            await eventually { sdk.engine.delivery.appending.withLock { !$0.isFailing } })
        track(1200..<1210)
        #expect(journal.inner.count == 1210 && sdk.deliveryCounts.queued == 1210)
        // The next process finds all of them, in order.
        let transport = ScriptedTransport(status: 200)
        let next = try Fixture.sdk(transport: transport) { $0.journal = journal }
        #expect(await eventuallyAsync { await next.flush().delivered == 1210 })
        #expect(transport.events.map(\.visitor) == (0..<1210).map { "v\($0)" })
    }

    @Test func aShutdownDoesNotPromiseWhatTheJournalCouldNotTake() async throws {
        let journal = ListJournal()
        let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 500)) { $0.journal = journal }
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        journal.isFailing = true
        sdk.createContext(visitorID: "v2").trackConversion("purchase")
        let report = await sdk.shutdown(deadline: .zero)
        #expect(report.events.queued == 2 && !report.isJournaled)
    }

    /// A journal whose first call waits.
    private final class BlockingJournal: EventJournal {
        let inner = ListJournal()
        let gate = DispatchSemaphore(value: 0)
        private let calls = Atomic(0)

        var callCount: Int { calls.load(ordering: .relaxed) }

        func append(_ records: [Data]) throws -> [Int64] {
            if calls.add(1, ordering: .relaxed).oldValue == 0 { gate.wait() }
            return try inner.append(records)
        }

        func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
            try await inner.events(after: id, limit: limit)
        }

        func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
    }

    @Test(arguments: [false, true])
    func callsThatWaitForTheJournalTogetherShareAStep(areRowsWrittenInPlace: Bool) async throws {
        let (journal, store) = (BlockingJournal(), GatedStore())
        let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 500)) {
            $0.journal = areRowsWrittenInPlace ? JournalWithoutRoomAtFirst(journal) : journal
            $0.visitorStore = store
            $0.batchSize = 100_000
        }
        await sdk.flush()
        var contexts: [ConvertContext] = []
        for number in 0..<20 { contexts.append(await sdk.loadContext(visitorID: "v\(number)")) }
        let outcomes = try await withThrowingTaskGroup(of: Conversion.Outcome.self) { group in
            for context in contexts {
                group.addTask { try await aside { context.trackConversion("purchase", revenue: 1) } }
            }
            #expect(await eventually { journal.callCount == 1 && sdk.engine.delivery.line.count == 19 })
            journal.gate.signal()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == .triggered })
        #expect(journal.callCount == 2 && journal.inner.count == 60)
        #expect(sdk.deliveryCounts.accepted == 40 && sdk.deliveryCounts.queued == 40)
        await sdk.flush()
        #expect(await eventually { journal.inner.count == 40 }, "each claim's row is its own")
        let next = try Fixture.sdk {
            $0.journal = journal.inner
            $0.visitorStore = store
        }
        #expect(await eventually { await next.flush().delivered == 40 })
    }

    @Test(arguments: [false, true]) func claimsAreCaughtUpWithToo(areRowsWrittenInPlace: Bool) async throws {
        let (journal, store, clock) = (CountingJournal(), GatedStore(), StepClock())
        let killed = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) {
            $0.journal = areRowsWrittenInPlace ? JournalWithoutRoomAtFirst(journal) : journal
            $0.visitorStore = store
            $0.releaseInterval = .seconds(1000)
        }
        let context = await killed.loadContext(visitorID: "v1")
        journal.inner.isFailing = true
        #expect(context.trackConversion("purchase", revenue: 1) == .triggered)
        journal.inner.isFailing = false
        clock.advance(by: .seconds(1))
        #expect(await eventually { journal.inner.count == 3 })
        let next = try Fixture.sdk {
            $0.journal = journal
            $0.visitorStore = store
        }
        #expect(await next.loadContext(visitorID: "v1").trackConversion("purchase") == .alreadyTriggered)
        withExtendedLifetime(killed) {}
    }

    @Test func theEndOffersTheJournalWhatItDidNotTake() async throws {
        let journal = ListJournal()
        let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 500)) { $0.journal = journal }
        await sdk.flush()
        journal.isFailing = true
        for number in 0..<5 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        journal.isFailing = false
        let report = await sdk.shutdown(deadline: .zero)
        #expect(report.events.queued == 5)
        #expect(await eventually { journal.count == 5 })
    }

    @Test func whatCannotBeRemovedIsRemovedLaterAndNotSentAgain() async throws {
        let (journal, clock, transport) = (ListJournal(), StepClock(), ScriptedTransport(status: 200))
        let sdk = try Fixture.sdk(clock: clock, transport: transport) { $0.journal = journal }
        journal.refusesRemoval = true
        for number in 0..<30 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        #expect(await eventuallyAsync { await sdk.flush().delivered == 30 })
        #expect(await eventually { journal.removalsRefused > 0 && journal.count == 30 })
        for _ in 0..<5 { await sdk.flush() }
        journal.refusesRemoval = false
        // Nothing else happens.
        #expect(
            await eventually {
                clock.advance(by: .seconds(30))
                return journal.count == 0
            })
        #expect(transport.events.count == 30)
        let next = try Fixture.sdk(transport: transport) { $0.journal = journal }
        await next.flush()
        #expect(transport.events.count == 30 && next.deliveryCounts.restored == 0)
    }

    @Test func journalIDsKeepToTheirModel() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var (ids, model) = (JournalIDs(), Set<Int64>())
            for _ in 0..<generator.int(1...200) {
                if generator.happens(10) {
                    let limit = generator.int(1...20)
                    let taken = ids.popFirst(limit)
                    #expect(taken == Array(model.sorted().prefix(limit)))
                    model.subtract(taken)
                } else {
                    let id = generator.happens(2) ? Int64.max : Int64(generator.int(1...60))
                    ids.insert(id)
                    model.insert(id)
                }
                #expect(ids.count == model.count && ids.isEmpty == model.isEmpty)
                #expect(zip(ids.ranges, ids.ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
            }
            ids.insert(0)
            ids.insert(.min)
            #expect(ids.popFirst(.max) == model.sorted())
        }
    }
}
