import ConvertLedgers
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation

/// Everything at once, on the real clock: a small program, so that ThreadSanitizer's build compiles few targets.
///
/// It prints a line for each scenario, and exits with 1 if one failed. The fleet needs the package trait `Postgres`,
/// and the server that `Tests/Postgres/with` starts.
@main
struct Stress {
    static func main() async {
        var failed = 0
        func run(_ name: String, _ scenario: (inout Check) async throws -> Void) async {
            var check = Check()
            do { try await scenario(&check) } catch { check.expect(false, "no error: \(error)") }
            print(check.failures.isEmpty ? "passed: \(name)" : "FAILED: \(name)")
            for failure in check.failures { print("    expected: \(failure)") }
            failed += check.failures.isEmpty ? 0 : 1
        }
        await run("a server without a ledger") { try await ServerScenario(ledger: nil).run(&$0) }
        await run("a server with a ledger in memory") { try await ServerScenario(ledger: MemoryLedger()).run(&$0) }
        await run("a server with a ledger in a file") { check in
            let folder = try TemporaryFolder()
            try await ServerScenario(ledger: SQLiteLedger(file: folder.file("ledger.sqlite"))).run(&check)
        }
        #if Postgres
        if let database = ProcessInfo.processInfo.environment["CONVERT_POSTGRES"] {
            await run("a fleet on one database") { try await FleetScenario(database: database).run(&$0) }
        }
        #endif
        exit(failed == 0 ? 0 : 1)
    }
}
