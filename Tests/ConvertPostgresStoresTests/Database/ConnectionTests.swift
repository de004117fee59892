#if Postgres
import ConvertStoreSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct ConnectionTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    @Test func aCommitThatFailsIsAnErrorThoughEachStatementSucceeded() async throws {
        try await schema.database().prepare()
        let connection = try schema.connection()
        try connection.execute(
            """
            CREATE TABLE parents (id bigint PRIMARY KEY);
            CREATE TABLE children (parent bigint REFERENCES parents DEFERRABLE INITIALLY DEFERRED)
            """)
        let error = #expect(throws: StorageError.self) {
            _ = try connection.run(Command("INSERT INTO children VALUES ($1)", .integer(1)))
        }
        #expect(error?.sqlState == "23503")
        #expect(try schema.integer("SELECT count(*) FROM children") == 0)
    }

    @Test func bindsValuesOfEveryKind() throws {
        let connection = try schema.connection()
        let bytes = Data((0...255).map { UInt8($0) })
        for integer in [0, 1, -1, 255, 256, .max, .min] as [Int64] {
            let rows = try connection.run(
                Command(
                    "SELECT $1, $2, $3, $4[2], $5[2], NULL::bigint, true", .integer(integer), .data(bytes),
                    .text("a'\"\\é"), .integers([1, integer]), .datas([Data(), bytes])))
            #expect(rows.count == 1 && rows.integer(0, 0) == integer && rows.integer(0, 3) == integer)
            #expect(rows.data(0, 1) == bytes && rows.data(0, 4) == bytes && rows.text(0, 2) == "a'\"\\é")
            #expect(rows.isNull(0, 5) && rows.integer(0, 6) == 1)
        }
        let none = try connection.run(
            Command(
                "SELECT octet_length($1), cardinality($2), cardinality($3)", .data(Data()), .integers([]), .datas([])))
        #expect((0..<3).map { none.integer(0, $0) } == [0, 0, 0])
    }

    @Test func aPipelineIsOneTransaction() throws {
        let connection = try schema.connection()
        try connection.execute("CREATE TEMPORARY TABLE numbers (number bigint PRIMARY KEY)")
        let insert = Command("INSERT INTO numbers VALUES ($1)", .integer(1))
        #expect(throws: StorageError.self) { _ = try connection.run([insert, insert]) }
        let count = Command("SELECT count(*) FROM numbers")
        #expect(try connection.run(count).integer(0, 0) == 0)
        let rows = try connection.run([insert, count])
        #expect(rows.count == 2 && rows[1].integer(0, 0) == 1)
        #expect(!connection.isLost)
    }

    @Test func aTransactionThatFailsIsRolledBack() throws {
        let connection = try schema.connection()
        try connection.execute("CREATE TEMPORARY TABLE numbers (number bigint PRIMARY KEY)")
        let insert = Command("INSERT INTO numbers VALUES ($1)", .integer(1))
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try connection.transaction([insert]) { _ -> ([Command], Int) in throw Failure() }
        }
        #expect(throws: StorageError.self) { try connection.transaction([insert]) { _ in ([insert], ()) } }
        #expect(try connection.run(Command("SELECT count(*) FROM numbers")).integer(0, 0) == 0)
        try connection.transaction([insert]) { _ in ([], ()) }
        #expect(try connection.run(Command("SELECT count(*) FROM numbers")).integer(0, 0) == 1)
    }

    @Test func muchIsSentAndReceived() throws {
        let connection = try schema.connection()
        let large = Data(repeating: 7, count: 2 << 20)
        let rows = try connection.run((0..<4).map { _ in Command("SELECT $1", .data(large)) })
        #expect(rows.allSatisfy { $0.data(0, 0) == large })
    }

    /// Poolers send larger TLS records than the server does, of which libpq takes a part and leaves the rest to
    /// OpenSSL.
    @Test func answersInLargeRecordsAreReadToTheirEnd() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["CONVERT_POSTGRES_FOLDER"])
        let port = try schema.port
        let pooler = Process()
        pooler.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Postgres/large-records")
        pooler.arguments = ["\(folder)/127.0.0.1.crt", "\(folder)/127.0.0.1.key", String(port)]
        let output = Pipe()
        pooler.standardOutput = output
        try pooler.run()
        defer { kill(pooler.processIdentifier, SIGKILL) }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let address = try DatabaseAddress("\(schema.address) port=\(line.prefix { $0.isNumber })")
        let connection = try Connection(address, timeout: .seconds(60))
        for count in 1...40 as ClosedRange<Int64> {
            let rows = try connection.run(
                Command("SELECT repeat('x', 1500) FROM generate_series(1, $1)", .integer(count)))
            #expect(rows.count == Int(count))
        }
    }

    @Test func aServerThatDoesNotAnswerIsGivenUp() throws {
        let address = try DatabaseAddress(schema.address)
        // The limit holds for connecting too, which takes longer under load.
        let limits: [Duration] = [.milliseconds(200), .seconds(2), .seconds(20)]
        let connection = try #require(limits.lazy.compactMap { try? Connection(address, timeout: $0) }.first)
        let error = #expect(throws: StorageError.self) { _ = try connection.run(Command("SELECT pg_sleep(300)")) }
        #expect(error?.code == .timedOut)
        #expect(connection.isLost)
    }

    @Test func aConnectionThatTheServerEndsIsLost() throws {
        let connection = try schema.connection()
        let error = #expect(throws: StorageError.self) {
            _ = try connection.run(Command("SELECT pg_terminate_backend(pg_backend_pid())"))
        }
        #expect(error?.code == .unreachable)
        #expect(connection.isLost)
        #expect(throws: StorageError.self) { _ = try connection.run(Command("SELECT 1")) }
    }

    @Test func wrongPasswordsAreRefusedAndNotShown() throws {
        let address = schema.address + " password=wr0ng"
        let error = #expect(throws: StorageError.self) {
            _ = try Connection(DatabaseAddress(address), timeout: .seconds(300))
        }
        #expect(error?.code == .refused && error?.sqlState == "28P01")
        #expect(!"\(error as Any)".contains("wr0ng") && !"\(error as Any)".contains("secret"))
        #expect(error?.path.hasPrefix("127.0.0.1:") ?? false)
    }

    @Test func aMissingPasswordIsReportedAsARefusal() throws {
        let address = schema.address.replacing("password=secret", with: "passfile=/dev/null")
        let error = #expect(throws: StorageError.self) {
            _ = try Connection(DatabaseAddress(address), timeout: .seconds(300))
        }
        #expect(error?.code == .refused, "\(error as Any)")
    }

    @Test(
        arguments: [
            ("port=1 connect_timeout=1", .unreachable), ("dbname=missing", .cannotOpen),
            ("user=stranger password=x", .refused),
        ] as [(String, StorageError.Code)])
    func reasonsAreTold(change: String, code: StorageError.Code) throws {
        let error = #expect(throws: StorageError.self) {
            _ = try Connection(DatabaseAddress("\(schema.address) \(change)"), timeout: .seconds(300))
        }
        #expect(error?.code == code, "\(error as Any)")
    }

    @Test func aServerThatCannotShowTheCertificateIsRefused() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["CONVERT_POSTGRES_FOLDER"])
        let isEncrypted: StaticString = "SELECT ssl::int::bigint FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        #expect(try schema.integer(isEncrypted) == 1)
        let otherName = "host=other.example hostaddr=127.0.0.1"
        for change in ["sslrootcert=\(folder)/127.0.0.2.crt", "sslrootcert=\(folder)/none", otherName] {
            #expect(throws: StorageError.self) {
                _ = try Connection(DatabaseAddress("\(schema.address) \(change)"), timeout: .seconds(300))
            }
        }
        _ = try Connection(DatabaseAddress("\(schema.address) \(otherName) sslmode=require"), timeout: .seconds(300))
    }

    @Test(arguments: ["nonsense", "host=a\0b", "foo=bar", "postgres://user:geheim@[broken"])
    func connectionStringsThatCannotBeReadAreNotShown(text: String) throws {
        let error = #expect(throws: StorageError.self) { _ = try PostgresDatabase(text) }
        #expect(error?.code == .cannotOpen)
        #expect(!"\(error as Any)".contains("geheim") && !"\(error as Any)".contains("nonsense"))
    }

    /// A password that is not encoded, or not where it belongs, is part of something else.
    @Test(arguments: [
        "postgres://user:ge/heim@host/db", "postgres://user:ge@heim@host/db", "postgres://user:ge@heim/x@host/db",
        "postgres://user:/geheim@host/db", "postgres://user:g@heim:e@host/db", "postgres://user:1/geheim@host/db",
        "dbname=postgres://user:geheim@host/db", "host=h dbname='password=geheim user=x'",
        "host=h user='u password=geheim'", "host=h user=u password=geheim", "postgres://u:geheim@[::1]:1,b:2/db",
    ]) func passwordsAreNotTakenForAddresses(text: String) throws {
        let name = try DatabaseAddress(text).name
        #expect(!name.contains("heim"), "\(name)")
    }

    @Test(arguments: [
        ("host=/run/postgresql dbname=a-b", "/run/postgresql:5432/a-b"),
        ("postgres://u:p@a,b.example:5433/db", "a,b.example:,5433/db"), ("postgres://[::1]/ü", "::1:5432/ü"),
    ]) func addressesAreShown(text: String, name: String) throws { #expect(try DatabaseAddress(text).name == name) }

    @Test(arguments: ["", "a b", "a\"b", "Upper", "1a", "ü", "pg_a", String(repeating: "a", count: 64)])
    func namesOfSchemasAreChecked(name: String) throws {
        #expect(throws: StorageError.self) { _ = try PostgresDatabase("host=localhost", schema: name) }
    }
}
#endif
