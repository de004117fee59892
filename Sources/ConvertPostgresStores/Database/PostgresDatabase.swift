#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import Foundation

/// A PostgreSQL database that the servers of a fleet share, and this process's connections to it, for
/// ``PostgresEventHistory``.
///
/// ```swift
/// let database = try PostgresDatabase(ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "")
/// var configuration = MobileRulesConfiguration()
/// configuration.history = PostgresEventHistory(database)
/// ```
///
/// A ``PostgresLedger`` has connections of its own. Its tables and those of the history are in one schema.
///
/// It needs PostgreSQL 13 or later. The tables are made, and brought up to date, with the first connection, by
/// whichever process is first, in a schema of their own. The user needs the right to do so once (`CREATE` on the
/// database, or on the schema if it is there). Later, `SELECT`, `INSERT`, `UPDATE` and `DELETE` on the tables and
/// `USAGE` on the sequences are enough, unless the right to execute functions was taken from `PUBLIC`. An error names
/// the grant that is missing.
///
/// **Availability.** Making one connects to nothing, so a server starts though its database is gone. A database that
/// cannot be reached is tried again in growing intervals, of five seconds at most, by one connection; meanwhile calls
/// of the history fail at once. `report` receives one diagnostic when the database cannot be used, and one when it can
/// be again.
///
/// **The process' end.** `exit` waits for calls of libpq that are under way, two seconds at most; they are given up at
/// once. What OpenSSL would clean up at the end is left to the system.
///
/// **Secrets.** The connection string goes to libpq and nowhere else. Errors and diagnostics name host, port and
/// database.
public final class PostgresDatabase: Sendable {
    let pool: Pool

    /// - Parameters:
    ///   - connectionString: as libpq takes it, a URL or pairs (`host=… dbname=…`). TLS is what it says: with
    ///     `sslmode=verify-full` the server's certificate is checked.
    ///   - schema: the schema that has the tables: lowercase letters, digits and underscores.
    ///   - maximumConnections: how many connections this process opens, 1 to 100. If it gets fewer, it works with
    ///     those.
    ///   - report: called when the database cannot be used, and when it can be again, on any thread. By default the
    ///     SDK that uses a store of the database logs it; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the connection string or the schema's name cannot be read.
    public convenience init(
        _ connectionString: String, schema: String = "convert_stores", maximumConnections: Int = 4,
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        var options = Pool.Options()
        options.size = min(max(1, maximumConnections), 100)
        try self.init(connectionString, schema: Schema(schema), options: options, report: report)
    }

    init(
        _ connectionString: String, schema: Schema, options: Pool.Options,
        report: (@Sendable (StoreDiagnostic) -> Void)?
    ) throws {
        pool = try Pool(
            DatabaseAddress(connectionString), schema: schema, options: options, reports: StoreReports(report))
    }

    /// Connects, and makes the tables or brings them up to date, so that a deployment that cannot work is noticed at
    /// once.
    /// - Throws: `StorageError`: `unreachable`, `refused`, `missingRight`, `newerVersion` among others.
    public func prepare() async throws { try await pool.perform { _ in } }
}
#endif
