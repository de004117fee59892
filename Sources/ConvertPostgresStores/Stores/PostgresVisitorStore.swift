#if Postgres
package import ConvertConcurrency
import ConvertStoreSupport
public import ConvertSwiftSDK
public import ConvertSwiftSDKCore
import Foundation

/// Keeps visitors in a PostgreSQL database, so that every server of a fleet knows them.
///
/// ```swift
/// configuration.visitorStore = PostgresVisitorStore(database)
/// ```
///
/// **Sharing.** Any number of servers save for one visitor at once; each change is read, merged and written in one
/// transaction. Of two servers that decide differently about one experience, the one that stores first wins: the other
/// learns what is stored with its own save, a second later at most unless the database is slow, and answers so from then
/// on. A decision that takes the place of another one, such as a forced one, does so only where that one is still stored.
/// Goals that were triggered stay so, segments are merged deeply, and the last list of locations counts.
///
/// **Failure.** Every method throws `StorageError`, and has changed nothing then, or what the SDK saves again without harm.
/// A record that cannot be read is forgotten and reported.
///
/// **Cost.** Loads and saves that come together share a round trip: one for loads and for visitors who are new, two and a
/// transaction for visitors who are stored. Nobody is forgotten by the store itself; `saved_on` in the table `visitors` has
/// the day of each visitor's last change, by which you may delete.
public final class PostgresVisitorStore: VisitorStore {
    /// The most visitors in one statement.
    static let batchLimit = 128

    private let reports: StoreReports
    private let loads: Batches<String, VisitorState?>
    private let saves: Batches<(key: String, changes: VisitorChanges), VisitorState>

    /// A store in `database`.
    public init(_ database: PostgresDatabase) {
        let pool = database.pool
        reports = pool.reports
        loads = Batches(limit: Self.batchLimit, pool: pool) { try Self.load($0, $1, pool) }
        saves = Batches(limit: Self.batchLimit, pool: pool, isWrite: true) { try Self.settle($0, $1, pool) }
    }

    /// The record stored under `key`, or `nil` if there is none. One that cannot be read, because something else has written
    /// to it, is forgotten, and that is reported.
    /// - Throws: `StorageError`.
    public func load(_ key: String) async throws -> VisitorState? { try await loads.answer(key) }

    /// Merges `changes` over the record under `key`, where decisions that are stored stay. A record that cannot be read is
    /// replaced.
    /// - Throws: `StorageError` if nothing was stored.
    public func save(_ changes: VisitorState, for key: String) async throws {
        _ = try await settle(VisitorChanges(changes), for: key)
    }

    private static func load(_ keys: [String], _ connection: Connection, _ pool: Pool) throws -> [VisitorState?] {
        let keys = try VisitorTable.storedKeys(keys, connection)
        let records = try VisitorTable.records(keys, connection)
        return keys.map { key in
            guard let record = records[key] else { return nil }
            if let state = try? VisitorState(json: record) { return state }
            if (try? VisitorTable.forget(key, record, connection)) == true {
                reportMending(in: connection, pool)
            }
            return nil
        }
    }

    private static func reportMending(in connection: Connection, _ pool: Pool) {
        pool.reportLater(
            .databaseMended(path: connection.name, what: "a visitor's record that could not be read was forgotten"))
    }

    private static func settle(
        _ saves: [(key: String, changes: VisitorChanges)], _ connection: Connection, _ pool: Pool
    ) throws -> [VisitorState] {
        let keys = try VisitorTable.storedKeys(saves.map(\.key), connection)
        var entries: [Data: VisitorTable.Entry] = [:]
        for (key, save) in zip(keys, saves) {
            entries[key, default: VisitorTable.Entry(key: key, changes: [])].changes.append(save.changes)
        }
        let settled = try VisitorTable.settle(Array(entries.values), connection) {
            reportMending(in: connection, pool)
        }
        return keys.map { settled[$0] ?? VisitorState() }
    }
}

extension PostgresVisitorStore: SharedVisitorStore {
    package func settle(_ changes: VisitorChanges, for key: String) async throws -> VisitorState {
        try await saves.answer((key, changes))
    }
}

extension PostgresVisitorStore: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { reports.report(to: log) }
}
#endif
