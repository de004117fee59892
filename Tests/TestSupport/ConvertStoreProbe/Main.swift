import CConvertSQLite
import ConvertMobileRules
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation

/// A second process for the stores' tests: does one thing to a store and prints what came of it.
///
///     ConvertStoreProbe record FILE FIRST N    records one event at N times from FIRST on
///     ConvertStoreProbe show FILE N            records N events if they are new; prints how many were
///     ConvertStoreProbe hold FILE SECONDS      keeps the database locked for writing
///     ConvertStoreProbe unprivileged FILE      opens a ledger as a user without rights to it; prints the error's code
///     ConvertStoreProbe open FILE              opens a ledger, which reports to standard error; prints "opened"
///
/// Or uses a ledger, see `LedgerProcess`:
///
///     ConvertStoreProbe ledger-own FILE
///     ConvertStoreProbe ledger-churn FILE SEED
///     ConvertStoreProbe ledger-fill FILE BYTES
///
/// Or serves visitors with an SDK whose ledger is in a folder, see `ServingProcess`:
///
///     ConvertStoreProbe track FOLDER URL
///     ConvertStoreProbe deliver FOLDER URL
///     ConvertStoreProbe succeed FOLDER URL N
///     ConvertStoreProbe starve FOLDER URL space|rights
///     ConvertStoreProbe soak FOLDER NAME RATE  see `SoakProcess`
///     ConvertStoreProbe live FOLDER URL SHARE FIRST SEED
///     ConvertStoreProbe settle FOLDER URL
@main
struct Main {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { return complain("ConvertStoreProbe COMMAND FILE …") }
        let file = URL(fileURLWithPath: arguments[1])
        let process = ServingProcess(folder: file, endpoint: arguments.count > 2 ? arguments[2] : "")
        switch (arguments[0], arguments.count) {
        case ("record", 4): try await record(file, first: Int64(arguments[2]) ?? 0, count: Int64(arguments[3]) ?? 0)
        case ("show", 3): try await show(file, count: UInt32(arguments[2]) ?? 0)
        case ("hold", 3): hold(file, seconds: UInt32(arguments[2]) ?? 0)
        case ("soak", 4):
            try await SoakProcess(folder: file, name: arguments[2], rate: Int(arguments[3]) ?? 1).run()
        case ("unprivileged", 2): unprivileged(file)
        case ("open", 2): try open(file)
        case ("track", 3): try await process.track()
        case ("deliver", 3): try await process.deliver()
        case ("succeed", 4): try await process.succeed(count: Int(arguments[3]) ?? 0)
        case ("starve", 4): try await process.starve(ServingProcess.Want(rawValue: arguments[3]) ?? .space)
        case ("live", 6):
            try await process.live(
                share: Int(arguments[3]) ?? 50, first: Int(arguments[4]) ?? 0, seed: Int(arguments[5]) ?? 0)
        case ("settle", 3): try await process.settle()
        case ("ledger-own", 2): try await LedgerProcess(file: file).own()
        case ("ledger-churn", 3): try await LedgerProcess(file: file).churn(seed: Int(arguments[2]) ?? 0)
        case ("ledger-fill", 3): try await LedgerProcess(file: file).fill(limit: UInt(arguments[2]) ?? 0)
        default: complain("unknown command")
        }
    }

    /// Tries again as long as another process locks or owns the database, for up to ten minutes: on a machine with much
    /// to do that process may hardly run.
    static func patiently<Result>(_ body: () async throws -> Result) async throws -> Result {
        let end = ContinuousClock.now + .seconds(600)
        while true {
            do {
                return try await body()
            } catch let error as StorageError where [.busy, .inUse].contains(error.code) {
                if ContinuousClock.now > end { throw error }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private static func record(_ file: URL, first: Int64, count: Int64) async throws {
        let history = try await patiently { try SQLiteEventHistory(file: file) }
        for number in 0..<count {
            try await patiently { try history.record(EventFingerprint(rawValue: 1), at: first + number) }
        }
        say("recorded")
    }

    private static func show(_ file: URL, count: UInt32) async throws {
        let history = try await patiently { try SQLiteEventHistory(file: file) }
        var shown = 0
        for number in 1...max(1, count) {
            let event = EventFingerprint(rawValue: number)
            if try await patiently({ try history.recordIfNew(event, at: 1) }) { shown += 1 }
        }
        say("\(shown)")
    }

    private static func hold(_ file: URL, seconds: UInt32) {
        var database: OpaquePointer?
        sqlite3_open(file.path, &database)
        sqlite3_busy_timeout(database, 30_000)
        let status = sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
        if status == SQLITE_OK { sleep(seconds) }
        sqlite3_close(database)
        exit(status)
    }

    private static func unprivileged(_ file: URL) {
        let unprivileged: uid_t = 65534
        guard getuid() != 0 || setuid(unprivileged) == 0 else { return say("cannot give up rights") }
        do {
            _ = try SQLiteLedger(file: file)
            say("opened")
        } catch let error as StorageError {
            say(error.code.description)
        } catch {
            say("\(error)")
        }
    }

    private static func open(_ file: URL) throws {
        _ = try SQLiteLedger(file: file, report: StoreDiagnostic.printToStandardError)
        say("opened")
    }

    private static func complain(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
