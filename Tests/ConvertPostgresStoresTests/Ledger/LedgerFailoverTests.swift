#if Postgres
import ConvertLedgers
import ConvertConcurrency
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Ledgers whose database server ends while they work, and whose replica takes its place.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
final class LedgerFailoverTests: Sendable {
    private struct Answers {
        var owners: [UInt32] = []
        var stored: Set<EventID> = []
        var hasFailedOver = false
    }

    private let answers = Mutex(Answers())

    @Test func answersOutliveAFailover() async throws {
        let server = try await ReplicatedServer()
        let schema = try TestSchema(address: server.address)
        let ledgers = try (0..<2).map { _ in try schema.ledger() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, ledger) in ledgers.enumerated() {
                group.addTask { try await self.work(ledger, "\(number)") }
            }
            #expect(await eventually { self.answers.withLock { $0.stored.count } > 1000 })
            try await server.failOver()
            answers.withLock { $0.hasFailedOver = true }
            try await group.waitForAll()
        }
        let (owners, stored) = answers.withLock { ($0.owners, $0.stored) }
        #expect(owners.count == Set(owners).count, "no number is given twice")
        let rows = try schema.connection().run(Command("SELECT id, record FROM events"))
        #expect(stored.isSubset(of: LedgerTable.events(in: rows).map(\.id)))
        for ledger in ledgers { await ledger.close() }
    }

    /// Commits entries, and begins anew now and then, until the replica has taken over and for a while after.
    private func work(_ ledger: PostgresLedger, _ name: String) async throws {
        var (round, left) = (0, 10)
        while left > 0 {
            if answers.withLock({ $0.hasFailedOver }) { left -= 1 }
            let owner = try await untilAnswered { try await ledger.begin() }
            answers.withLock { $0.owners.append(owner) }
            for part in 0..<3 as Range<UInt32> {
                let entries = try (1...50 as ClosedRange<UInt32>).map { number in
                    try LedgerEntry.goal(
                        "\(name)-\(round)-\(part)", of: "v\(number)",
                        id: EventID(owner: owner, number: part * 50 + number))
                }
                let outcomes = try await untilAnswered { try await ledger.commit(entries) }
                #expect(outcomes.allSatisfy { $0.unreported.isEmpty })
                answers.withLock { $0.stored.formUnion(entries.flatMap(\.events).map(\.id)) }
            }
            round += 1
        }
    }
}
#endif
