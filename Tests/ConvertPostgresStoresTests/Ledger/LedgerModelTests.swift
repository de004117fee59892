#if Postgres
import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Three servers with one database, whose connections end and whose messages are lost, against what their ledgers
/// answered.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct LedgerModelTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    /// With an odd seed every lease is over at once, so that servers take over events of live servers.
    @Test(arguments: 0..<caseCount(4)) func acknowledgedChangesHold(seed: Int) async throws {
        let lease: Duration = seed % 2 == 0 ? .seconds(3600) : .zero
        let proxy = try TestProxy(to: schema.port)
        defer { proxy.stop() }
        let address = schema.address(through: proxy)
        let model = LedgerModel()
        let ledgers = try (0..<3).map { _ in try schema.ledger(address, connections: 2, lease: lease) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await disturb(proxy, SeededGenerator(seed: seed)) }
            try await withThrowingTaskGroup(of: Void.self) { workers in
                for (number, ledger) in ledgers.enumerated() {
                    workers.addTask {
                        var server = ModelLedger(ledger, "\(number)", model, SeededGenerator(seed: seed * 10 + number))
                        try await server.begin()
                        for _ in 0..<40 { try await server.act() }
                    }
                }
                try await workers.waitForAll()
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        try await check(model, schema.ledger(), mayRepeat: lease == .zero)
        for ledger in ledgers { await ledger.close() }
    }

    /// Ends connections and loses messages until the task is cancelled.
    private func disturb(_ proxy: TestProxy, _ generator: SeededGenerator) async throws {
        var random = generator
        while !Task.isCancelled {
            switch random.int(0...9) {
            case 0...2: proxy.lose(after: random.int(0...4), request: false)
            case 3...5: proxy.lose(after: random.int(0...4), request: true)
            case 6, 7: try schema.endSessions(percent: 50)
            default: break
            }
            try? await Task.sleep(for: .milliseconds(random.int(20...100)))
        }
    }

    private func check(_ model: LedgerModel, _ ledger: PostgresLedger, mayRepeat: Bool) async throws {
        let facts = model.facts.withLock { $0 }
        for (visitor, decisions) in facts.decisions {
            let stored = try await ledger.visitor(visitor)?.bucketing?["e"]?.stringValue
            #expect(decisions == [stored], "\(visitor): all servers agree")
        }
        for (goal, count) in facts.goals { #expect(count == 1, "\(goal)") }
        let rows = try schema.connection().run(Command("SELECT id, record FROM events ORDER BY id"))
        let left = LedgerTable.events(in: rows)
        #expect(Set(left.map(\.id)).union(facts.delivered).isSuperset(of: facts.accepted.keys), "nothing is lost")
        #expect(Set(left.map(\.id)).isSubset(of: facts.accepted.keys), "nothing else is stored")
        for event in left { #expect(facts.accepted[event.id] == event.record) }
        if !mayRepeat {
            #expect(facts.delivered.count == Set(facts.delivered).count, "no event is sent twice")
            #expect(Set(left.map(\.id)).isDisjoint(with: facts.delivered), "what was sent is gone")
        }
    }
}

/// What the ledgers have answered.
private final class LedgerModel: Sendable {
    struct Facts {
        /// By visitor, the decisions that ledgers say are stored.
        var decisions: [String: Set<String?>] = [:]
        /// By visitor and goal, how many events report it.
        var goals: [String: Int] = [:]
        var accepted: [EventID: Data] = [:]
        var delivered: [EventID] = []
    }

    let facts = Mutex(Facts())
}

/// A server that makes calls as the SDK does.
private struct ModelLedger {
    private let ledger: PostgresLedger
    private let name: String
    private let model: LedgerModel
    private var random: SeededGenerator
    private var owner: UInt32 = 0
    private var number: UInt32 = 0
    /// Events to be sent.
    private var queue: [EventID] = []

    init(_ ledger: PostgresLedger, _ name: String, _ model: LedgerModel, _ random: SeededGenerator) {
        (self.ledger, self.name, self.model, self.random) = (ledger, name, model, random)
    }

    mutating func begin() async throws {
        while true {
            do {
                owner = try await ledger.begin()
                return
            } catch is StorageError { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    /// The answer of a call that is made until there is one.
    private mutating func answer<Answer>(
        _ body: (PostgresLedger) async throws -> Answer
    ) async throws -> Answer {
        while true {
            do {
                return try await body(ledger)
            } catch LedgerError.ownerHasEnded {
                try await begin()
            } catch is StorageError { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    mutating func act() async throws {
        switch random.int(0...9) {
        case 0...5: try await commit()
        case 6, 7: try await deliver()
        case 8:
            let limit = random.int(1...10)
            queue += try await answer { try await $0.takeOver(limit) }.map(\.id)
        default:
            if random.happens(30) { try await begin() }
        }
    }

    private mutating func commit() async throws {
        var entries: [LedgerEntry] = []
        for _ in 0..<random.int(1...6) {
            var changes = VisitorState()
            var facts: [LedgerEvent.Fact?] = []
            if random.happens(50) {
                changes.apply(.bucketing(experienceID: "e", variationID: .string(name)))
                facts.append(.decision(experience: "e"))
            }
            if random.happens(60) {
                let goal = "g\(random.int(0...3))"
                changes.apply(.goal(PropertyKey(goal)))
                facts.append(.goal(goal))
            }
            if random.happens(30) { facts.append(nil) }
            let visitor = "v\(random.int(0...30))"
            let events = facts.map { fact in
                number += 1
                let what = if case .goal(let goal) = fact { "\(visitor) \(goal)" } else { "\(name) \(number)" }
                return LedgerEvent(
                    id: EventID(owner: owner, number: number), record: Data(what.utf8), reporting: fact)
            }
            entries.append(LedgerEntry(visitor: visitor, changes: VisitorChanges(changes), events: events))
        }
        let outcomes = try await answer { try await $0.commit(entries) }
        for (entry, outcome) in zip(entries, outcomes) { take(entry, outcome) }
    }

    private mutating func take(_ entry: LedgerEntry, _ outcome: LedgerOutcome) {
        let decision = outcome.record.bucketing?["e"]?.stringValue
        let events = entry.events.filter { !outcome.unreported.contains($0.id) }
        queue += events.map(\.id)
        model.facts.withLock { facts in
            if let decision { facts.decisions[entry.visitor, default: []].insert(decision) }
            for event in events {
                facts.accepted[event.id] = event.record
                if case .goal(let goal) = event.fact { facts.goals["\(entry.visitor) \(goal)", default: 0] += 1 }
            }
        }
    }

    private mutating func deliver() async throws {
        let batch = Array(queue.prefix(random.int(1...10)))
        let owned = try await answer { try await $0.owned(batch) }
        queue.removeFirst(batch.count)
        model.facts.withLock { $0.delivered += owned }
        try await answer { try await $0.remove(owned) }
    }
}
#endif
