#if Postgres
import Foundation

/// A PostgreSQL database that the servers of a fleet share, and this process's connections to it. For
/// ``PostgresEventHistory``.
///
/// ```swift
/// let database = try PostgresDatabase(ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "")
/// var configuration = MobileRulesConfiguration()
/// configuration.history = PostgresEventHistory(database)
/// ```
///
/// A ``PostgresLedger`` has connections of its own. Its tables are in the same schema as the history's tables.
///
/// The required version, the user's rights, availability and secrets are those of a ``PostgresLedger``. If the right to
/// execute functions was revoked from `PUBLIC`, the user also needs that right for the functions of the schema.
///
/// **Process exit.** `exit` interrupts running calls of libpq, and waits up to two seconds for them to return.
/// OpenSSL's cleanup at exit is skipped; the system frees the resources.
///
/// **Thread safety.** All methods can be called from any thread or task.
public final class PostgresDatabase: Sendable {
    let pool: Pool

    /// Creates the database's connection pool, without connecting.
    ///
    /// - Parameters:
    ///   - connectionString: a URL or keyword pairs (`host=… dbname=…`), as libpq accepts them. It also configures TLS:
    ///     with `sslmode=verify-full` libpq verifies the server's certificate.
    ///   - schema: the schema of the tables: lowercase letters, digits and underscores, at most 63 characters, not
    ///     beginning with a digit or `pg_`.
    ///   - maximumConnections: the maximum number of connections of this process. Values outside 1 to 100 are clamped.
    ///     If the server allows fewer, the process works with fewer.
    ///   - report: called on any thread when the database becomes unusable and when it is usable again. By default the
    ///     SDK that uses a store of the database logs both; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the connection string or the schema's name is invalid.
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

    /// Connects, and creates or migrates the tables, so that a deployment notices a wrong setup at once.
    /// - Throws: `StorageError`, such as `unreachable`, `refused`, `missingRight` or `newerVersion`.
    public func prepare() async throws { try await pool.perform { _ in } }
}
#endif
