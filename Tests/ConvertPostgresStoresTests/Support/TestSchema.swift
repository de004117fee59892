#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import ConvertTestServer
import Foundation
import Testing

@testable import ConvertPostgresStores

/// The PostgreSQL server that tests use: `CONVERT_POSTGRES` is the connection string of a superuser, as
/// `Tests/Postgres/with` sets it.
enum TestDatabase {
    static let address = ProcessInfo.processInfo.environment["CONVERT_POSTGRES"]
    static var isThere: Bool { address != nil }
}

/// A schema of its own for a test, gone with this object.
final class TestSchema: Sendable {
    let name = "t_" + UUID().uuidString.lowercased().replacing("-", with: "")
    private let reports = Mutex<[StoreDiagnostic]>([])

    /// What the stores have reported.
    var reported: [StoreDiagnostic] { reports.withLock { $0 } }

    let address: String

    /// The server's port.
    var port: UInt16 {
        get throws { try #require(address.firstMatch(of: /port=(\d+)/).flatMap { UInt16($0.1) }) }
    }

    init(address: String? = TestDatabase.address) throws { self.address = try #require(address) }

    deinit {
        try? Connection(DatabaseAddress(address), timeout: .seconds(60)).execute(
            "SET client_min_messages = error; DROP SCHEMA IF EXISTS \(name) CASCADE")
    }

    /// Options that wait for as long as tests may be kept from running.
    static var options: Pool.Options {
        var options = Pool.Options()
        options.timeout = .seconds(300)
        options.backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(20))
        return options
    }

    /// A database as a server of its own has it.
    func database(
        _ address: String? = nil, options: Pool.Options = options, steps: [String] = Schema.steps
    ) throws -> PostgresDatabase {
        var schema = try Schema(name)
        schema.steps = steps
        return try PostgresDatabase(
            address ?? self.address, schema: schema, options: options,
            report: didReport)
    }

    /// Takes note of what a store reports.
    var didReport: @Sendable (StoreDiagnostic) -> Void {
        { report in self.reports.withLock { $0.append(report) } }
    }

    /// A connection beside the stores'.
    func connection() throws -> Connection {
        let connection = try Connection(DatabaseAddress(address), timeout: .seconds(300))
        try connection.execute("SET search_path = \(name)")
        return connection
    }

    /// The address through `proxy`, without TLS: each message is one chunk. Sessions have the schema's name.
    func address(through proxy: TestProxy) -> String {
        "\(address) port=\(proxy.port) sslmode=disable application_name=\(name)"
    }

    /// Ends about that share of the sessions that have the schema's name.
    func endSessions(percent: Int64 = 100) throws {
        _ = try connection().run(
            Command(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name = current_setting('search_path') AND random() * 100 < $1
                """, .integer(percent)))
    }

    /// The integer that a statement returns.
    func integer(_ sql: StaticString) throws -> Int64 {
        let rows = try connection().run(Command(sql))
        return rows.count == 0 ? 0 : rows.integer(0, 0)
    }
}
#endif
