#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// A database's server ends amid everything, and its replica takes its place.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
final class FailoverTests: Sendable {
    /// What servers of a fleet were told.
    private struct Ledger {
        var answers = 0
        var hasFailedOver = false
        /// By visitor, the goals that are saved, and the decisions that are said to be stored.
        var goals: [String: Set<String>] = [:]
        var decisions: [String: Set<String?>] = [:]
        /// By goal, how many calls count it.
        var counts: [String: Int] = [:]
        /// The journal's rows that nobody has removed.
        var rows: [Int64: Data] = [:]
    }

    private let server: ReplicatedServer
    private let schema: TestSchema
    private let ledger = Mutex(Ledger())

    init() async throws {
        server = try await ReplicatedServer()
        schema = try TestSchema(address: server.address)
    }

    @Test(arguments: [false, true]) func whatWasAcknowledgedIsKept(isReplicaBehind: Bool) async throws {
        let journals = try await withThrowingTaskGroup { group in
            let journals = try (0..<3).map { number in
                let database = try schema.database()
                let (store, journal) = (PostgresVisitorStore(database), journal(database))
                for worker in [number, number + 3] {
                    group.addTask { try await self.work(worker, store, journal) }
                }
                return journal
            }
            group.addTask {
                #expect(await eventually { self.answers > 200 })
                if isReplicaBehind { try await self.letReplicaFallBehind() }
                try await self.server.failOver()
                self.ledger.withLock { $0.hasFailedOver = true }
            }
            // Unlike `waitForAll`, it ends the others after a failure.
            for try await _ in group {}
            return journals
        }
        // What was given up is taken back with this.
        for journal in journals { try await journal.renew() }
        let told = ledger.withLock { $0 }
        #expect(told.decisions.values.allSatisfy { $0.count == 1 }, "\(told.decisions)")
        #expect(told.counts.values.allSatisfy { $0 == 1 }, "\(told.counts.filter { $0.value != 1 })")
        #expect(try schema.integer("SELECT count(*) FROM claimed_goals WHERE visitor = 'v'") == told.counts.count)
        let store = PostgresVisitorStore(try schema.database())
        for (visitor, goals) in told.goals {
            let record = try await store.load(visitor)
            let stored = Set(record?.goals?.members.map(\.key.name) ?? [])
            #expect(goals.isSubset(of: stored), "\(visitor): \(goals.subtracting(stored)) are lost")
            #expect(told.decisions[visitor]?.first == record?.bucketing?["e"]?.stringValue)
        }
        try schema.connection().execute("UPDATE owners SET expires = '-infinity'")
        let heir = journal(try schema.database())
        var rows: [Int64: Data] = [:]
        while case let taken = try await heir.takeOver(1000), !taken.isEmpty {
            for row in taken { rows[row.id] = row.record }
        }
        #expect(rows == told.rows)
    }

    /// A replica may not know of values of a sequence that were given to sessions which wrote nothing.
    @Test func idsThatThePrimaryGaveAreNotGivenAgain() async throws {
        let journal = journal(try schema.database())
        let block = (0..<Int(EventTable.idsReserved)).map { Data("\($0)".utf8) }
        _ = try await aside { try journal.append(block) }
        // So many values may still be given of which the replica knows.
        while try schema.integer("SELECT log_cnt FROM event_ids") > 0 { _ = try newIDs() }
        let observer = try schema.connection()
        try await server.stopReplica()
        let ids = try await withThrowingTaskGroup { group in
            group.addTask {
                _ = try? self.newIDs()
                return [Int64]()
            }
            #expect(await eventually { (try? Self.waiting(observer)) == 1 })
            group.addTask {
                try await self.untilAnswered { try await aside { try journal.append([Data("a".utf8)]) } }
            }
            #expect(await eventually { (try? Self.waiting(observer)) == 2 })
            try await server.failOver()
            return try await group.reduce([]) { $0 + $1 }
        }
        let id = try #require(ids.first)
        for _ in 0..<4 {
            let others = try newIDs()
            #expect(!others.contains(id), "\(id) is one of \(others)")
        }
    }

    @Test func aReplicaCanOnlyBeReadUntilItIsPromoted() async throws {
        let record = try VisitorState(json: Data(#"{"goals":{"g":true}}"#.utf8))
        let store = PostgresVisitorStore(try schema.database(server.replicaAddress))
        func code() async -> StorageError.Code? {
            do { try await store.save(record, for: "v") } catch { return (error as? StorageError)?.code }
            return nil
        }
        #expect(await code() == .readOnly, "the tables cannot be made")
        try await PostgresVisitorStore(schema.database()).save(record, for: "u")
        // What is acknowledged has arrived there, and is seen a moment later.
        #expect(await eventually { (try? await store.load("u")) == record })
        #expect(await code() == .readOnly)
        try await server.failOver()
        #expect(await eventually { await code() == nil })
        #expect(try await store.load("v") == record)
    }

    // MARK: Servers of the fleet

    private func journal(_ database: PostgresDatabase) -> PostgresEventJournal {
        PostgresEventJournal(database, lease: .seconds(3600), patience: .seconds(300), time: SystemTime())
    }

    /// Saves, counts and removes until the replica has taken over, and for a while after.
    private func work(_ worker: Int, _ store: PostgresVisitorStore, _ journal: PostgresEventJournal) async throws {
        var (number, left) = (0, 20)
        while left > 0 {
            if ledger.withLock({ $0.hasFailedOver }) { left -= 1 }
            let (visitor, goal, row) = ("v\(number % 20)", "\(worker)-\(number)", Data("\(worker)-\(number)".utf8))
            let changes = try VisitorState(
                json: Data(#"{"bucketing":{"e":"\#(worker)"},"goals":{"\#(goal)":true}}"#.utf8))
            let settled = try await untilAnswered { try await store.settle(VisitorChanges(changes), for: visitor) }
            ledger.withLock { ledger in
                ledger.goals[visitor, default: []].insert(goal)
                ledger.decisions[visitor, default: []].insert(settled.bucketing?["e"]?.stringValue)
            }
            // All of them have each goal; one of them counts it.
            let call = JournalCall(rows: [row], visitor: "v", goals: ["\(number)"])
            let ids = try await untilAnswered { try await aside { try journal.append([call])[0] } }
            ledger.withLock { ledger in
                ledger.counts["\(number)", default: 0] += ids == nil ? 0 : 1
                for id in ids ?? [] { ledger.rows[id] = row }
                ledger.answers += 1
            }
            if let ids, number.isMultiple(of: 2) {
                try await untilAnswered { try await journal.remove(ids) }
                ledger.withLock { ledger in for id in ids { ledger.rows[id] = nil } }
            }
            number += 1
        }
    }

    private func untilAnswered<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        while true {
            do {
                return try await body()
            } catch let error as StorageError where error.code == .unreachable {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private var answers: Int { ledger.withLock { $0.answers } }

    // MARK: The replica

    /// Stops it until calls wait for it, or go on without.
    private func letReplicaFallBehind() async throws {
        let observer = try schema.connection()
        try await server.stopReplica()
        let before = answers
        #expect(await eventually { (try? Self.waiting(observer)) ?? 0 > 0 || self.answers > before + 200 })
    }

    /// How many sessions wait for the replica.
    private static func waiting(_ connection: Connection) throws -> Int64 {
        try connection.run(Command("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).integer(0, 0)
    }

    private func newIDs() throws -> Range<Int64> {
        let first = try schema.integer("SELECT nextval('event_ids')")
        return first..<first + EventTable.idsReserved
    }
}
#endif
