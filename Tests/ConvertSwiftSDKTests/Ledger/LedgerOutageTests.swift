import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertLedgers
import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

/// Ledgers that hang, fail, lose answers and break promises.
@Suite(.timeLimit(.minutes(10)))
struct LedgerOutageTests {
    private let ledger = ScriptedLedger()
    private let clock = StepClock()
    private let transport = ScriptedTransport(status: 200)

    private func sdk(_ change: (inout SDKConfiguration) -> Void = { _ in }) throws -> ConvertSDK {
        try Fixture.sdk(clock: clock, transport: transport) {
            $0.ledger = ledger
            change(&$0)
        }
    }

    /// Whether `condition` holds at some time while the clock goes on.
    private func afterAWhile(_ condition: () async -> Bool) async -> Bool {
        await eventually {
            clock.advance(by: .milliseconds(100))
            return await condition()
        }
    }

    private var isEmpty: Bool { get async { await ledger.disk.eventCount == 0 } }

    @Test func noCallWaitsForALedgerThatHangs() async throws {
        let gates = ScriptedLedger.Operation.allCases.map { ledger.hold($0) }
        let sdk = try sdk()
        for number in 0..<100 {
            let context = sdk.createContext(visitorID: "v\(number)", attributes: ["plan": "pro"])
            #expect(context.decide("all").variation != nil && context.decideAll().compactMap(\.variation).count >= 2)
            #expect(context.trackConversion("purchase") == .deferred)
            context.setDefaultSegments(["country": "US"])
            #expect(context.visitorData.bucketing?["91"] == "910")
        }
        for gate in gates { gate.open() }
        #expect(await afterAWhile { sdk.deliveryCounts.accepted >= 300 && sdk.deliveryCounts.queued == 0 })
    }

    @Test func anEventIsSentOnlyAfterItsCommit() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk { $0.batchSize = 1 }
        await sdk.loadContext(visitorID: "v1").trackConversion("purchase")
        #expect(await eventually { ledger.count(.commit) == 1 })
        for _ in 0..<50 {
            clock.advance(by: .milliseconds(100))
            await Task.yield()
        }
        #expect(transport.requests.isEmpty && sdk.deliveryCounts.queued == 1)
        commits.open()
        #expect(await afterAWhile { sdk.deliveryCounts.delivered == 1 })
    }

    @Test func eventsAreSentWithoutALedgerThatFailsForLongAndStoredLater() async throws {
        ledger.fail([.commit])
        let sdk = try sdk { $0.ledgerPatience = .seconds(5) }
        let context = await sdk.loadContext(visitorID: "v1")
        #expect(context.trackConversion("purchase") == .triggered)
        #expect(await afterAWhile { transport.events.count == 1 })
        #expect(clock.now > .seconds(5))
        // What comes meanwhile does not wait for it either.
        let count = ledger.count(.commit)
        context.decide("all")
        #expect(await afterAWhile { transport.events.count == 2 })
        #expect(sdk.ledgerStatus?.waitingEntries == 2 && count > 1)
        ledger.heal()
        #expect(await afterAWhile { sdk.ledgerStatus?.waitingEntries == 0 })
        #expect(try await ledger.disk.record("v1")?.goals == ["purchase": true])
        await sdk.flush()
        #expect(await isEmpty && transport.events.count == 2)
        let report = await sdk.shutdown(deadline: .seconds(5))
        #expect(report.isComplete && report.events.delivered == 2)
        let next = try Fixture.sdk(transport: transport) { $0.ledger = ScriptedLedger(ledger.disk) }
        #expect(await next.loadContext(visitorID: "v1").trackConversion("purchase") == .alreadyTriggered)
        #expect(await next.flush() == DeliveryCounts() && transport.events.count == 2)
    }

    @Test(arguments: [false, true]) func anEntryWhoseAnswerWasLostIsStoredOnceAndSentOnce(isLong: Bool) async throws {
        ledger.losesAnswers = true
        let sdk = try sdk { $0.ledgerPatience = isLong ? .seconds(1) : .seconds(1000) }
        let context = await sdk.loadContext(visitorID: "v1")
        context.trackConversion("purchase", revenue: 5)
        #expect(await afterAWhile { ledger.count(.commit) > 3 && (!isLong || transport.events.count == 2) })
        #expect(isLong || transport.requests.isEmpty, "it is not known to be stored")
        ledger.losesAnswers = false
        #expect(await afterAWhile { sdk.deliveryCounts.delivered == 2 && sdk.ledgerStatus?.waitingEntries == 0 })
        #expect(await afterAWhile { await isEmpty })
        for _ in 0..<50 {
            clock.advance(by: .milliseconds(100))
            await sdk.flush()
        }
        #expect(transport.events.count == 2 && sdk.deliveryCounts.rejectedTotal == 0)
    }

    @Test func aFullQueueRefusesWholeCalls() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk { $0.queueCapacity = 4 }
        var contexts: [ConvertContext] = []
        for number in 0..<3 { contexts.append(await sdk.loadContext(visitorID: "v\(number)")) }
        for context in contexts.dropLast() {
            #expect(context.trackConversion("purchase", revenue: 1) == .triggered, "two events each")
        }
        #expect(contexts[2].trackConversion("purchase", revenue: 1) == .refused)
        #expect(contexts[2].decide("all").variation != nil, "the hash decides alike again")
        #expect(contexts[2].visitorData == VisitorState())
        #expect(sdk.deliveryCounts.rejected == [.overflow: 3] && sdk.deliveryCounts.queued == 4)
        commits.open()
        for context in contexts.dropLast() { try await context.persisted() }
        #expect(ledger.offeredVisitors == ["v0", "v1"])
        #expect(contexts[2].trackConversion("purchase", revenue: 1) == .triggered)
        #expect(await eventually { (try? await ledger.disk.record("v2")?.goals) == ["purchase": true] })
    }

    @Test func whatFoundNoRoomIsNotWaitedForAndThrowsUnlessTheOutcomeSaysIt() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk { $0.queueCapacity = 1 }
        var contexts: [ConvertContext] = []
        for number in 0..<3 { contexts.append(await sdk.loadContext(visitorID: "v\(number)")) }
        #expect(contexts[0].trackConversion("purchase") == .triggered)
        let outcome = try await contexts[1].trackConversion("purchase", persistedWithin: .seconds(5))
        #expect(outcome == .refused)
        contexts[2].decide("all")
        let error = await #expect(throws: ConvertError.self) { try await contexts[2].persisted() }
        #expect(error?.code == .refused)
        commits.open()
        try await contexts[0].persisted()
    }

    @Test func aCallThatIsLargerThanTheQueueIsTakenWhileNothingWaits() async throws {
        let sdk = try sdk { $0.queueCapacity = 1 }
        let context = await sdk.loadContext(visitorID: "v1")
        #expect(context.trackConversion("purchase", revenue: 1) == .triggered)
        #expect(await afterAWhile { sdk.deliveryCounts.delivered == 2 })
    }

    @Test func itsStateIsAValueAndEventsTellWhenItChanges() async throws {
        let (listener, start) = (RecordingListener(), clock.date)
        let sdk = try sdk {
            $0.queueCapacity = 2
            $0.ledgerPatience = .seconds(1)
        }
        sdk.onEvent { listener.take($0) }
        let contexts = (0..<5).map { sdk.createContext(visitorID: "v\($0)") }
        for context in contexts { await context.waitUntilLoaded(atMost: .seconds(5)) }
        #expect(sdk.ledgerStatus?.isAvailable == true && sdk.ledgerStatus?.failingSince == nil)
        ledger.fail([.commit])
        contexts[0].trackConversion("purchase")
        #expect(await eventually { sdk.ledgerStatus?.isAvailable == false })
        #expect(sdk.ledgerStatus?.failingSince == start && sdk.ledgerStatus?.reason == "Failure")
        #expect(await afterAWhile { transport.events.count == 1 })
        for (number, context) in contexts.enumerated().dropFirst() {
            #expect(context.trackConversion("purchase") == .triggered)
            #expect(await afterAWhile { transport.events.count == number + 1 })
        }
        #expect(sdk.ledgerStatus?.waitingEntries == 2 && sdk.ledgerStatus?.lostEntries == 3)
        ledger.heal()
        #expect(await afterAWhile { sdk.ledgerStatus?.isAvailable == true && transport.events.count == 5 })
        #expect(sdk.ledgerStatus?.reason == nil && sdk.ledgerStatus?.waitingEntries == 0)
        #expect(listener.events.count { $0 == .ledgerFailed(reason: "Failure") } == 1)
        #expect(listener.events.count { $0 == .ledgerRecovered } == 1)
        let report = await sdk.shutdown(deadline: .seconds(5))
        #expect(report.unstoredEntries == 3 && !report.isComplete && report.events.delivered == 5)
        #expect(try Fixture.sdk().ledgerStatus == nil)
    }

    /// A ledger that answers for another number of entries than it was given.
    private final class MiscountingLedger: Ledger {
        let inner = MemoryLedger()
        let difference: Mutex<Int>

        init(_ difference: Int) { self.difference = Mutex(difference) }

        func begin() async throws -> UInt32 { try await inner.begin() }
        func visitor(_ key: String) async throws -> VisitorState? { try await inner.visitor(key) }
        func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
            let outcomes = try await inner.commit(entries)
            let difference = difference.withLock { $0 }
            return difference < 0 ? Array(outcomes.dropLast(-difference)) : outcomes + outcomes.prefix(difference)
        }
        func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
            try await inner.undelivered(after: id, limit: limit)
        }
        func remove(_ ids: [EventID]) async throws { try await inner.remove(ids) }
        func forget(_ key: String) async throws { try await inner.forget(key) }
        func close() async {}
    }

    @Test(arguments: [-1, 1]) func aWrongNumberOfOutcomesIsAFailure(difference: Int) async throws {
        let miscounting = MiscountingLedger(difference)
        let sdk = try sdk { $0.ledger = miscounting }
        let context = await sdk.loadContext(visitorID: "v1")
        context.trackConversion("purchase")
        #expect(await eventually { sdk.ledgerStatus?.reason == "it gave \(1 + difference) outcomes for 1 entries" })
        miscounting.difference.withLock { $0 = 0 }
        #expect(await afterAWhile { sdk.deliveryCounts.delivered == 1 && sdk.deliveryCounts.isComplete })
        #expect(try await miscounting.inner.record("v1")?.goals == ["purchase": true])
    }

    @Test func aLedgerWithoutAnOwnerIsAskedForOneAgain() async throws {
        ledger.fail([.begin])
        let sdk = try sdk()
        await sdk.loadContext(visitorID: "v1").trackConversion("purchase")
        #expect(await afterAWhile { ledger.count(.begin) > 2 })
        #expect(ledger.offers.isEmpty && transport.requests.isEmpty)
        ledger.heal()
        #expect(await afterAWhile { sdk.deliveryCounts.delivered == 1 })
        #expect(ledger.owner == 1)
    }

    @Test func oneCallThatHangsIsNotMadeAgainBeforeItReturns() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk { $0.ledgerPatience = .seconds(60) }
        let context = await sdk.loadContext(visitorID: "v1")
        context.setDefaultSegments(["country": "US"])
        #expect(await eventually { ledger.count(.commit) == 1 })
        context.setDefaultSegments(["country": "FR"])
        #expect(await afterAWhile { sdk.ledgerStatus?.isAvailable == false })
        for _ in 0..<100 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(ledger.count(.commit) == 1)
        commits.open()
        #expect(await afterAWhile { sdk.ledgerStatus?.waitingEntries == 0 })
        #expect(try await ledger.disk.record("v1")?.segments == ["country": "FR"])
        let countries = ledger.offers.joined().map { $0.changes.changes.segments?["country"] }
        #expect(countries.first == "US" && countries.last == "FR", "in their order")
    }

    @Test func eventsThatCannotBeRemovedAreRemovedLaterAndNotSentAgain() async throws {
        ledger.fail([.remove])
        let sdk = try sdk()
        for number in 0..<30 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        #expect(await afterAWhile { sdk.deliveryCounts.delivered == 30 && ledger.count(.remove) > 1 })
        #expect(await ledger.disk.eventCount == 30)
        ledger.heal()
        #expect(await afterAWhile { await isEmpty })
        #expect(transport.events.count == 30)
    }
}
