import CConvertSQLite
import ConvertMobileRules
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation

/// A second process for the stores' tests: does one thing to a store and says on standard output what came of it.
///
///     ConvertStoreProbe append FILE            appends events until it is killed; prints each id once it is accepted
///     ConvertStoreProbe churn FILE SEED        appends long events and removes some of them until it is killed; prints
///                                              "+ID LENGTH" once one is accepted, "-ID" before and "=ID" after its removal
///     ConvertStoreProbe own FILE               opens the journal, prints "owned", and keeps it until standard input ends
///     ConvertStoreProbe save FILE KEY NAME N   marks goals NAME-0 … NAME-(N-1) for one visitor, one save each
///     ConvertStoreProbe record FILE FIRST N    records one event at N times from FIRST on
///     ConvertStoreProbe show FILE N            records N events if they are new; prints how many were
///     ConvertStoreProbe forget FILE BYTES      appends events until no file may grow beyond that, then removes them all;
///                                              prints how many are left
///     ConvertStoreProbe hold FILE SECONDS      keeps the database locked for writing
///     ConvertStoreProbe unprivileged FILE      opens a visitor store as a user who owns nothing; prints the error's code
///     ConvertStoreProbe open FILE              opens a visitor store that reports to standard error; prints "opened"
///
/// Or uses a ledger, see `LedgerProcess`:
///
///     ConvertStoreProbe ledger-own FILE
///     ConvertStoreProbe ledger-churn FILE SEED
///     ConvertStoreProbe ledger-fill FILE BYTES
///
/// Or serves visitors with an SDK whose stores lie in a folder, see `ServingProcess`:
///
///     ConvertStoreProbe track FOLDER URL
///     ConvertStoreProbe deliver FOLDER URL
///     ConvertStoreProbe share FOLDER URL JOURNAL N
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
        case ("append", 2): try append(file)
        case ("churn", 3): try await churn(file, seed: Int(arguments[2]) ?? 0)
        case ("own", 2): try own(file)
        case ("save", 5): try await save(file, key: arguments[2], name: arguments[3], count: Int(arguments[4]) ?? 0)
        case ("record", 4): try await record(file, first: Int64(arguments[2]) ?? 0, count: Int64(arguments[3]) ?? 0)
        case ("show", 3): try await show(file, count: UInt32(arguments[2]) ?? 0)
        case ("forget", 3): try await forget(file, limit: UInt(arguments[2]) ?? 0)
        case ("hold", 3): hold(file, seconds: UInt32(arguments[2]) ?? 0)
        case ("soak", 4):
            try await SoakProcess(folder: file, name: arguments[2], rate: Int(arguments[3]) ?? 1).run()
        case ("unprivileged", 2): unprivileged(file)
        case ("open", 2): try open(file)
        case ("track", 3): try process.track()
        case ("deliver", 3): try await process.deliver()
        case ("share", 5): try await process.share(journal: arguments[3], count: Int(arguments[4]) ?? 0)
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

    private static func append(_ file: URL) throws {
        let journal = try SQLiteEventJournal(file: file)
        var number = 0
        while true {
            // Batches of one to three, so that a kill may fall into the middle of one.
            let records = (0...number % 3).map { Data("event \(number + $0)".utf8) }
            number += records.count
            for (id, record) in zip(try journal.append(records), records) {
                say("\(id) \(String(decoding: record, as: UTF8.self))")
            }
        }
    }

    private static func churn(_ file: URL, seed: Int) async throws {
        let journal = try SQLiteEventJournal(file: file)
        var random = SeededGenerator(seed: seed)
        var ids: [Int64] = []
        var removal: Task<Void, any Error>?
        while true {
            let records = random.list(upTo: 6) { Data(repeating: UInt8($0.int(0...255)), count: $0.int(0...40_000)) }
            let accepted = try journal.append(records)
            for (id, record) in zip(accepted, records) { say("+\(id) \(record.count)") }
            ids += accepted
            // Rarely: those that stay are to be moved into the database.
            guard random.happens(ids.count > 1000 ? 100 : 3) else { continue }
            try await removal?.value
            let isRest = random.happens(30)
            let gone = ids.filter { _ in isRest || random.happens(50) }
            ids.removeAll { gone.contains($0) }
            for id in gone { say("-\(id)") }
            removal = Task {
                try await journal.remove(gone)
                for id in gone { say("=\(id)") }
            }
        }
    }

    private static func own(_ file: URL) throws {
        do {
            let journal = try SQLiteEventJournal(file: file)
            say("owned")
            _ = FileHandle.standardInput.readDataToEndOfFile()
            withExtendedLifetime(journal) {}
        } catch let error as StorageError {
            say(error.code.description)
        }
    }

    private static func save(_ file: URL, key: String, name: String, count: Int) async throws {
        let store = try await patiently { try SQLiteVisitorStore(file: file) }
        for number in 0..<count {
            let text = Data(#"{"goals":{"\#(name)-\#(number)":true}}"#.utf8)
            let changes = try JSONDecoder().decode(VisitorState.self, from: text)
            try await patiently { try await store.save(changes, for: key) }
        }
        say("saved")
    }

    /// Tries again as long as another process holds the database, for up to ten minutes: on a machine with much to do it may
    /// be kept from running while it does.
    private static func patiently<Result>(_ body: () async throws -> Result) async throws -> Result {
        let end = ContinuousClock.now + .seconds(600)
        while true {
            do {
                return try await body()
            } catch let error as StorageError where error.code == .busy {
                if ContinuousClock.now > end { throw error }
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

    private static func forget(_ file: URL, limit: UInt) async throws {
        let journal = try SQLiteEventJournal(file: file)
        guard ServingProcess.Want.limitFiles(to: limit) else { return say("no limit") }
        var ids: [Int64] = []
        do {
            while ids.count < 100_000 { ids += try journal.append([Data(repeating: 1, count: 500)]) }
        } catch is StorageError {}
        try await journal.remove(ids)
        say("\(ids.count > 10) \(try await journal.events(after: 0, limit: 10).count)")
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
        let nobody: uid_t = 65534
        guard getuid() != 0 || setuid(nobody) == 0 else { return say("cannot become nobody") }
        do {
            _ = try SQLiteVisitorStore(file: file)
            say("opened")
        } catch let error as StorageError {
            say(error.code.description)
        } catch {
            say("\(error)")
        }
    }

    private static func open(_ file: URL) throws {
        _ = try SQLiteVisitorStore(file: file)
        say("opened")
    }

    private static func complain(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
