#if Postgres
import ConvertLedgers
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Several servers' ledgers on one database, and whose the events are.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct LedgerOwnerTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    /// Entries with a goal and its event each, for visitors of their own.
    private func entries(_ numbers: ClosedRange<Int>, owner: UInt32) throws -> [LedgerEntry] {
        try numbers.map { number in
            try .goal("g", of: "\(owner)-\(number)", id: EventID(owner: owner, number: UInt32(number)))
        }
    }

    private func ids(_ numbers: ClosedRange<UInt32>, owner: UInt32) -> [EventID] {
        numbers.map { EventID(owner: owner, number: $0) }
    }

    @Test func oneOfTwoServersThatStoreAGoalReportsIt() async throws {
        let ledgers = try [schema.ledger(), schema.ledger()]
        let owners = try await [ledgers[0].begin(), ledgers[1].begin()]
        let schema = schema
        let stored = try await withThrowingTaskGroup(of: Int.self) { group in
            for (ledger, owner) in zip(ledgers, owners) {
                group.addTask {
                    var count = 0
                    for round in 0..<20 {
                        let entries = try (0..<40).map { visitor in
                            let id = EventID(owner: owner, number: UInt32(1 + round * 40 + visitor))
                            return try LedgerEntry.goal("\(round)", of: "v\(visitor)", variation: "\(owner)", id: id)
                        }
                        count += try await ledger.commit(entries).count { $0.unreported.isEmpty }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(stored == 800)
        #expect(try schema.integer("SELECT count(*) FROM events") == 800)
        #expect(try schema.integer("SELECT count(DISTINCT record) FROM events") == 800)
    }

    @Test func eventsOfAnEndedServerAreTakenOverInPages() async throws {
        let (ended, heir) = (try schema.ledger(), try schema.ledger())
        let owner = try await ended.begin()
        _ = try await heir.begin()
        _ = try await ended.commit(entries(1...10, owner: owner))
        #expect(try await heir.takeOver(100).isEmpty, "its lease goes on")
        try schema.endLeases(of: [owner])
        var taken: [EventID] = []
        while case let page = try await heir.takeOver(3), !page.isEmpty {
            #expect(page.count <= 3)
            taken += page.map(\.id)
        }
        #expect(taken == ids(1...10, owner: owner), "under their old ids, in order")
        #expect(try await heir.undelivered(after: nil, limit: 100).map(\.id) == taken)
        #expect(try schema.integer("SELECT count(*) FROM owners") == 1, "the ended owner is forgotten")
        #expect(await eventually { schema.reported.count == 4 })
        try await heir.remove(taken)
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
    }

    @Test func eventsOfAClosedLedgerAreTakenOverAtOnce() async throws {
        let (closed, heir) = (try schema.ledger(), try schema.ledger())
        let owner = try await closed.begin()
        _ = try await heir.begin()
        _ = try await closed.commit(entries(1...2, owner: owner))
        await closed.close()
        #expect(try await heir.takeOver(100).map(\.id) == ids(1...2, owner: owner))
        #expect(try await heir.takeOver(100).isEmpty)
    }

    /// The commit may be on its way over a connection that was given up, or another one of the ledger's.
    @Test func entriesCommittedWhileTheLedgerClosesAreTakenOver() async throws {
        let (closed, heir) = (try schema.ledger(), try schema.ledger())
        let owner = try await closed.begin()
        _ = try await heir.begin()
        let other = try schema.connection()
        try other.execute("BEGIN")
        _ = try other.run(LeaseTable.hold(Int64(owner)))
        let id = EventID(owner: owner, number: 1)
        try other.execute("INSERT INTO events VALUES (\(id.rawValue), \(owner), 'v', '{}')")
        let closing = Task { await closed.close() }
        let waiting: StaticString = """
            SELECT count(*) FROM pg_locks l JOIN pg_locks w ON w.pid = l.pid
                WHERE NOT l.granted AND w.relation = 'owners'::regclass
            """
        #expect(await eventually { ((try? schema.integer(waiting)) ?? 0) > 0 }, "it waits for the commit")
        try other.execute("COMMIT")
        await closing.value
        #expect(try await heir.takeOver(10).map(\.id) == ids(1...1, owner: owner))
    }

    @Test func aLedgerThatIsClosedWithoutEventsLeavesNothing() async throws {
        let ledger = try schema.ledger()
        _ = try await ledger.begin()
        await ledger.close()
        #expect(try schema.integer("SELECT count(*) FROM owners") == 0)
        let count: StaticString = """
            SELECT count(*) FROM pg_stat_activity
                WHERE application_name = 'ConvertPostgresStores' AND query LIKE '%' || current_schema() || '%'
            """
        #expect(await eventually { (try? schema.integer(count)) == 0 }, "its connections are closed")
    }

    @Test func eachEventHasOneOfSeveralHeirsAtOnce() async throws {
        let others = try [schema.ledger(), schema.ledger(), schema.ledger()]
        for other in others {
            let owner = try await other.begin()
            _ = try await other.commit(entries(1...40, owner: owner))
            await other.close()
        }
        let heirs = try [schema.ledger(), schema.ledger(), schema.ledger()]
        let taken = try await withThrowingTaskGroup(of: [EventID].self) { group in
            for heir in heirs {
                _ = try await heir.begin()
                group.addTask {
                    var taken: [EventID] = []
                    // An owner that another heir has locked may seem to be missing.
                    for _ in 0..<20 {
                        while case let page = try await heir.takeOver(7), !page.isEmpty { taken += page.map(\.id) }
                    }
                    #expect(try await heir.undelivered(after: nil, limit: 1000).map(\.id) == taken.sorted())
                    return taken
                }
            }
            return try await group.reduce([], +)
        }
        #expect(taken.count == Set(taken).count, "no event has two heirs")
        #expect(taken.count == 120)
    }

    @Test func aStalledServerLearnsThatItHasEnded() async throws {
        let (stalled, heir) = (try schema.ledger(lease: .zero), try schema.ledger())
        let owner = try await stalled.begin()
        _ = try await heir.begin()
        _ = try await stalled.commit(entries(1...3, owner: owner))
        #expect(try await stalled.owned(ids(1...3, owner: owner)) == ids(1...3, owner: owner))
        #expect(try await heir.takeOver(1).map(\.id) == ids(1...1, owner: owner))
        await #expect(throws: LedgerError.ownerHasEnded) { try await stalled.commit(entries(4...4, owner: owner)) }
        await #expect(throws: LedgerError.ownerHasEnded) { try await stalled.remove(ids(1...1, owner: owner)) }
        await #expect(throws: LedgerError.ownerHasEnded) { try await stalled.owned(ids(1...3, owner: owner)) }
        await #expect(throws: LedgerError.ownerHasEnded) { try await stalled.takeOver(1) }
        #expect(try schema.integer("SELECT count(*) FROM events") == 3, "of what it tried there is nothing")
        #expect(try await stalled.visitor("\(owner)-4") == nil)

        // It begins again, with what was not taken over.
        _ = try await stalled.begin()
        #expect(try await stalled.owned(ids(1...3, owner: owner)) == ids(2...3, owner: owner))
        #expect(try await stalled.undelivered(after: nil, limit: 10).map(\.id) == ids(2...3, owner: owner))
        #expect(try await stalled.commit(entries(4...4, owner: owner)).map(\.unreported) == [[]])
        try await stalled.remove(ids(1...4, owner: owner))
        #expect(try await heir.undelivered(after: nil, limit: 10).map(\.id) == ids(1...1, owner: owner))
        #expect(try schema.integer("SELECT count(*) FROM events") == 1)
    }

    @Test func aServerWhoseLeaseIsOverGoesOnUnlessOneTakesOver() async throws {
        let stalled = try schema.ledger(lease: .zero)
        let owner = try await stalled.begin()
        #expect(try await stalled.commit(entries(1...1, owner: owner)).map(\.unreported) == [[]])
        try await stalled.remove(ids(1...1, owner: owner))
        try await stalled.renew()
        #expect(try await stalled.commit(entries(2...2, owner: owner)).map(\.unreported) == [[]])
    }

    @Test func anAnswerAboutOwnedEventsTakesNoRoundTripWhileTheLeaseIsCertain() async throws {
        let clock = StepClock()
        let (ledger, heir) = (try schema.ledger(lease: .seconds(3600), time: clock), try schema.ledger())
        let owner = try await ledger.begin()
        _ = try await heir.begin()
        _ = try await ledger.commit(entries(1...2, owner: owner))
        try schema.endLeases(of: [owner])
        #expect(try await heir.takeOver(10).count == 2)
        #expect(try await ledger.owned(ids(1...2, owner: owner)).count == 2, "as far as its clock says")
        // A request that begins now may be under way when the lease ends.
        clock.advance(by: .seconds(2400))
        await #expect(throws: LedgerError.ownerHasEnded) { try await ledger.owned(ids(1...2, owner: owner)) }
    }

    @Test func anOwnerIsSureOfEarlierEventsOnceTheyAreMoved() {
        var ownership = Ownership()
        ownership.didBegin(1, at: .zero, lease: .seconds(30))
        ownership.didBegin(2, at: .zero, lease: .seconds(30))
        #expect(!ownership.surelyOwns(ids(1...1, owner: 1), at: .zero))
        #expect(ownership.surelyOwns(ids(1...1, owner: 2), at: .zero))
        ownership.didSucceed(1, isIntact: true)
        #expect(ownership.surelyOwns(ids(1...1, owner: 1), at: .zero))
        ownership.didBegin(3, at: .zero, lease: .seconds(30))
        ownership.didSucceed(2, isIntact: false)
        #expect(!ownership.surelyOwns(ids(1...1, owner: 1) + ids(1...1, owner: 3), at: .zero))
        #expect(ownership.surelyOwns(ids(1...1, owner: 3), at: .zero))
        ownership.didRenew(2, at: .seconds(20), lease: .seconds(30))
        #expect(!ownership.surelyOwns(ids(1...1, owner: 3), at: .seconds(40)), "a late renewal of an earlier owner")
    }

    @Test func renewsItsLeaseByItself() async throws {
        let clock = StepClock()
        let ledger = try schema.ledger(lease: .seconds(3600), time: clock)
        let owner = try await ledger.begin()
        try schema.endLeases(of: [owner])
        #expect(await eventually { clock.isAwaited(in: .seconds(1200)) })
        clock.advance(by: .seconds(1200))
        #expect(
            await eventually {
                (try? schema.integer("SELECT count(*) FROM owners WHERE expires > clock_timestamp()")) == 1
            })
    }

    @Test func renewsItsLeaseWhileOldVisitorsCannotBeDeleted() async throws {
        let clock = StepClock()
        let ledger = try schema.ledger(
            lease: .seconds(3600), retention: VisitorRetention(days: 1, count: 1), time: clock)
        let owner = try await ledger.begin()
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE visitors")
        for _ in 0..<2 {
            try schema.endLeases(of: [owner])
            #expect(await eventually { clock.isAwaited(in: .seconds(1200)) })
            clock.advance(by: .seconds(1200))
            let isRenewed = await eventually {
                (try? schema.integer("SELECT count(*) FROM owners WHERE expires > clock_timestamp()")) == 1
            }
            #expect(isRenewed)
        }
        try other.execute("COMMIT")
        await ledger.close()
    }

    /// After an outage the others need time to renew their leases.
    @Test func aServerThatWasCutOffForALeaseTakesOverClosedLedgersOnly() async throws {
        let clock = StepClock()
        let ledger = try schema.ledger(lease: .seconds(3600), time: clock)
        let (living, closed) = (try schema.ledger(), try schema.ledger())
        _ = try await ledger.begin()
        let owners = try await [living.begin(), closed.begin()]
        _ = try await living.commit(entries(1...1, owner: owners[0]))
        _ = try await closed.commit(entries(1...1, owner: owners[1]))
        try schema.endLeases(of: [owners[0]])
        await closed.close()
        clock.advance(by: .seconds(4000))
        try await ledger.renew()
        #expect(try await ledger.takeOver(10).map(\.id.owner) == [owners[1]])
        #expect(try await ledger.takeOver(10).isEmpty)
        clock.advance(by: .seconds(3600))
        #expect(try await ledger.takeOver(10).map(\.id.owner) == [owners[0]])
    }

    @Test func beginningAgainMovesAllEventsToTheNewOwner() async throws {
        let ledger = try schema.ledger()
        let first = try await ledger.begin()
        _ = try await ledger.commit(entries(1...5, owner: first))
        let second = try await ledger.begin()
        #expect(second > first)
        _ = try await ledger.commit(entries(1...1, owner: second))
        let all = ids(1...5, owner: first) + ids(1...1, owner: second)
        #expect(try await ledger.undelivered(after: nil, limit: 10).map(\.id) == all)
        #expect(try await ledger.owned(all) == all)
        #expect(try schema.integer("SELECT count(*) FROM owners") == 1)
        try await ledger.remove(all)
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
    }

    @Test func anEntryThatWasDeliveredByAnHeirIsNotReportedAgain() async throws {
        let (stalled, heir) = (try schema.ledger(), try schema.ledger())
        let owner = try await stalled.begin()
        _ = try await heir.begin()
        let offer = try entries(1...2, owner: owner)
        _ = try await stalled.commit(offer)
        try schema.endLeases(of: [owner])
        try await heir.remove(heir.takeOver(10).prefix(1).map(\.id))
        _ = try await stalled.begin()
        let outcomes = try await stalled.commit(offer)
        #expect(outcomes[0].unreported == ids(1...1, owner: owner))
        #expect(outcomes[1].unreported.isEmpty, "the heir has its event still")
        #expect(try await stalled.undelivered(after: nil, limit: 10).isEmpty)
    }
}
#endif
