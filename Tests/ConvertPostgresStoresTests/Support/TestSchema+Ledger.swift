#if Postgres
import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation

@testable import ConvertPostgresStores

extension TestSchema {
    /// A ledger as a server of its own has it. By default its lease is never renewed by itself.
    func ledger(
        _ address: String? = nil, connections: Int = 3, timeout: Duration = .seconds(300),
        lease: Duration = .seconds(3600), retention: VisitorRetention = VisitorRetention(),
        time: any TimeSource = StepClock()
    ) throws -> PostgresLedger {
        var options = Self.options
        options.size = connections
        options.timeout = timeout
        let pool = try Pool(
            DatabaseAddress(address ?? self.address), schema: Schema(name), options: options,
            reports: StoreReports(didReport))
        return PostgresLedger(pool, lease: lease, retention: retention, time: time)
    }

    /// Lets the leases of all owners end, as if they had not renewed them in time.
    func endLeases() throws { try connection().execute("UPDATE owners SET expires = '2000-01-01'") }

    /// Ends the leases of owners, as if the owners had not renewed them in time.
    func endLeases(of owners: [UInt32]) throws {
        let connection = try connection()
        for owner in owners {
            _ = try connection.run(
                Command("UPDATE owners SET expires = '2000-01-01' WHERE owner = $1", .integer(Int64(owner))))
        }
    }
}

/// The answer of a call that the SDK repeats while the database is not there, is busy, or moves to another server.
func untilAnswered<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    while true {
        do {
            return try await body()
        } catch let error as StorageError where [.unreachable, .timedOut, .busy, .readOnly].contains(error.code) {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

extension LedgerEntry {
    /// An entry with a decision, a goal, and an event that reports the goal.
    static func goal(
        _ goal: String, of visitor: String, variation: String? = nil, id: EventID
    ) throws -> LedgerEntry {
        var changes = VisitorState()
        if let variation { changes.apply(.bucketing(experienceID: "e", variationID: .string(variation))) }
        changes.apply(.goal(PropertyKey(goal)))
        let event = LedgerEvent(id: id, record: Data("\(visitor) \(goal)".utf8), reporting: .goal(goal))
        return LedgerEntry(visitor: visitor, changes: VisitorChanges(changes), events: [event])
    }
}
#endif
