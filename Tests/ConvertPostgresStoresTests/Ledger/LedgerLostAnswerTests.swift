#if Postgres
import ConvertLedgers
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// A ledger whose connections break at each message, before the server has it and after.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
final class LedgerLostAnswerTests {
    private let schema: TestSchema
    private let proxy: TestProxy
    private let ledger: PostgresLedger

    init() async throws {
        schema = try TestSchema()
        proxy = try TestProxy(to: schema.port)
        ledger = try schema.ledger(schema.address(through: proxy), connections: 1)
    }

    deinit { proxy.stop() }

    @Test(arguments: 0..<6, [false, true])
    func anEntryIsStoredOnceWhicheverMessageIsLost(chunks: Int, request: Bool) async throws {
        let owner = try await ledger.begin()
        var events: [EventID] = []
        for number in 1...5 as ClosedRange<UInt32> {
            if number == 2 { proxy.lose(after: chunks, request: request) }
            // A new visitor and a known one each.
            let entries = try (0..<2 as Range<UInt32>).map { index in
                let id = EventID(owner: owner, number: number * 2 + index)
                events.append(id)
                return try LedgerEntry.goal(
                    "\(number)", of: index == 0 ? "v" : "v\(number)", variation: "a", id: id)
            }
            #expect(try await untilAnswered { try await ledger.commit(entries) }.map(\.unreported) == [[], []])
        }
        #expect(proxy.lostCount == 1)
        #expect(try await ledger.undelivered(after: nil, limit: 100).map(\.id) == events)
        #expect(try await ledger.visitor("v")?.goals?.count == 5)
        #expect(try schema.integer("SELECT count(*) FROM visitors") == 6)
    }

    @Test(arguments: 0..<3, [false, true])
    func anOwnerBeginsThoughAMessageIsLost(chunks: Int, request: Bool) async throws {
        var owners = [try await ledger.begin()]
        let entry = try LedgerEntry.goal("g", of: "v", id: EventID(owner: owners[0], number: 1))
        _ = try await ledger.commit([entry])
        proxy.lose(after: chunks, request: request)
        for _ in 0..<3 { owners.append(try await untilAnswered { try await ledger.begin() }) }
        #expect(proxy.lostCount == 1)
        #expect(owners == Set(owners).sorted())
        #expect(try await ledger.undelivered(after: nil, limit: 10).map(\.id) == [entry.events[0].id])
    }

    @Test(arguments: 0..<5, [false, true])
    func eachEventIsTakenOverOnceWhicheverMessageIsLost(chunks: Int, request: Bool) async throws {
        let ended = try schema.ledger()
        let owner = try await ended.begin()
        let ids = (1...10).map { EventID(owner: owner, number: $0) }
        _ = try await ended.commit(try ids.map { try .goal("g", of: "\($0)", id: $0) })
        await ended.close()
        _ = try await ledger.begin()
        var taken = try await ledger.takeOver(1)
        proxy.lose(after: chunks, request: request)
        for _ in 0..<10 { taken += try await untilAnswered { try await ledger.takeOver(3) } }
        #expect(proxy.lostCount == 1)
        #expect(taken.map(\.id) == ids)
        try await ledger.remove(ids)
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
    }

    @Test(arguments: [false, true]) func eventsAreRemovedThoughTheMessageIsLost(request: Bool) async throws {
        let owner = try await ledger.begin()
        let ids = (1...3).map { EventID(owner: owner, number: $0) }
        _ = try await ledger.commit(try ids.map { try .goal("g", of: "\($0)", id: $0) })
        try await ledger.remove([ids[0]])
        proxy.lose(after: 0, request: request)
        try await untilAnswered { try await ledger.remove([ids[1]]) }
        #expect(proxy.lostCount == 1)
        #expect(try await ledger.undelivered(after: nil, limit: 10).map(\.id) == [ids[2]])
    }

    /// A network that stands still may pass on what was given up, after it was done again.
    @Test(arguments: 0..<2) func aCommitThatArrivesLateChangesNothing(late: Int) async throws {
        let hasty = try schema.ledger(schema.address(through: proxy), connections: 1, timeout: .seconds(1))
        let owner = try await untilAnswered { try await hasty.begin() }
        let first = try LedgerEntry.goal("f", of: "v", id: EventID(owner: owner, number: 1))
        _ = try await untilAnswered { try await hasty.commit([first]) }
        let entries = try [
            LedgerEntry.goal("g", of: "v", id: EventID(owner: owner, number: 2)),
            LedgerEntry.goal("g", of: "new", id: EventID(owner: owner, number: 3)),
        ]
        proxy.holdNext(after: late)
        #expect(try await untilAnswered { try await hasty.commit(entries) }.map(\.unreported) == [[], []])
        try await untilAnswered { try await hasty.remove(entries.map { $0.events[0].id }) }
        proxy.release()
        let count: StaticString = """
            SELECT count(*) FROM pg_stat_activity WHERE application_name = current_setting('search_path')
            """
        #expect(await eventually { (try? schema.integer(count)) == 1 }, "the session of what arrives late ends")
        let left = try await untilAnswered { try await hasty.undelivered(after: nil, limit: 10) }
        #expect(left.map(\.id) == [first.events[0].id])
        #expect(try await untilAnswered { try await hasty.visitor("new") }?.goals?.count == 1)
        await hasty.close()
    }
}
#endif
