#if Postgres
import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertPostgresStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

extension SharedStores {
    /// The rate at which a ledger commits entries, as a multiple of 5,000 per second.
    ///
    /// It commits one group after another, as the SDK does under load. Each entry has a decision and the event that
    /// reports it. Each visitor has two entries.
    static let ledger = Workload(
        id: "S-postgres", summary: "commit entries with PostgresLedger, 3 connections, in 5,000 a second",
        unit: .times, goal: 1, expected: "all stored",
        runner: .custom(repetitions: 5) { _ in
            let schema = "convert_ledger_benchmarks"
            try pgbench("DROP SCHEMA IF EXISTS \(schema) CASCADE;\n")
            let ledger = try PostgresLedger(server ?? "", schema: schema, connections: 3)
            let owner = try waiting { try await ledger.begin() }
            var number: UInt32 = 0
            return {
                let groups = (0..<ledgerGroups).map { _ in
                    (0..<ledgerGroupSize).map { _ in
                        number += 1
                        return entry(number, EventID(owner: owner, number: number))
                    }
                }
                let (time, storedCount, slowest) = try waiting { try await commit(groups, to: ledger) }
                let count = ledgerGroups * ledgerGroupSize
                return Sample(
                    value: Double(count) / time * 1e9 / 5000, operations: count,
                    check: storedCount == count ? "all stored" : "\(storedCount) stored",
                    details: ["a second": Double(count) / time * 1e9, "longest commit, ns": slowest])
            }
        })

    private static let ledgerGroups = 40
    private static let ledgerGroupSize = 512

    private static func commit(
        _ groups: [[LedgerEntry]], to ledger: PostgresLedger
    ) async throws -> (time: Double, storedCount: Int, slowest: Double) {
        let start = ClockReading.read(CLOCK_MONOTONIC)
        var (storedCount, slowest) = (0, 0.0)
        for group in groups {
            let before = ClockReading.read(CLOCK_MONOTONIC)
            storedCount += try await ledger.commit(group).count { $0.unreported.isEmpty }
            slowest = max(slowest, ClockReading.read(CLOCK_MONOTONIC) - before)
        }
        return (ClockReading.read(CLOCK_MONOTONIC) - start, storedCount, slowest)
    }

    private static func entry(_ number: UInt32, _ id: EventID) -> LedgerEntry {
        // The two entries of a visitor are for different experiences.
        let (visitor, experience) = ("10-20-visitor-\(number / 2)", "9\(number % 2)")
        var changes = VisitorState()
        changes.apply(.bucketing(experienceID: PropertyKey(experience), variationID: "900"))
        let event = LedgerEvent(
            id: id, record: Data(repeating: UInt8(ascii: "x"), count: 300),
            reporting: .decision(experience: experience))
        return LedgerEntry(visitor: visitor, changes: VisitorChanges(changes), events: [event])
    }
}
#endif
