import ConvertLedgers
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation
import Testing

/// A ledger's files are deleted, replaced, linked, or another program's.
@Suite(.timeLimit(.minutes(10)))
struct LedgerFilesTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file().path }
    private var replaced: StorageError { StorageError(.replaced, path: path) }

    private func open(_ name: String = "store.sqlite") throws -> SQLiteLedger {
        try SQLiteLedger(file: folder.file(name), report: reports.collect)
    }

    private func remove(_ names: String...) throws {
        for name in names { try FileManager.default.removeItem(at: folder.file(name)) }
    }

    @Test func aDeletedDatabaseIsNotWrittenToSilently() async throws {
        let ledger = try open()
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit([user.entry(1)])
        try remove("store.sqlite", "store.sqlite-wal", "store.sqlite-shm")
        await #expect(throws: replaced) { try await ledger.commit([user.entry(2)]) }
        #expect(reports.all == [.databaseReplaced(path: path)])
        _ = try await ledger.commit([user.entry(2)])
        try await user.expect([2], in: ledger)
        #expect(try await ledger.begin() > user.owner)
        await ledger.close()
        let again = try open()
        #expect(try await again.begin() > user.owner + 1)
        try await user.expect([2], in: again)
        await again.close()
    }

    @Test func aDeletedFolderIsMadeAnew() async throws {
        let ledger = try open("deeper/store.sqlite")
        let user = LedgerUser(owner: try await ledger.begin())
        try remove("deeper")
        await #expect(throws: StorageError.self) { try await ledger.commit([user.entry(1)]) }
        _ = try await ledger.commit([user.entry(1)])
        try await user.expect([1], in: ledger)
        await ledger.close()
    }

    @Test func aReplacedDatabaseIsUsedAndItsLogIsLeftAlone() async throws {
        let other = try open("other.sqlite")
        let owner = try await other.begin()
        let user = LedgerUser(owner: owner)
        _ = try await other.commit([user.entry(7)])
        let ledger = try open()
        #expect(try await ledger.begin() == owner)
        _ = try await ledger.commit([user.entry(1)])
        // As a copy that was made while it was in use: with its log.
        for suffix in ["", "-wal"] {
            let copy = folder.file("copy\(suffix)")
            try FileManager.default.copyItem(at: folder.file("other.sqlite\(suffix)"), to: copy)
            #expect(rename(copy.path, path + suffix) == 0)
        }
        try remove("store.sqlite-shm")
        await #expect(throws: replaced) { try await ledger.commit([user.entry(2)]) }
        _ = try await ledger.commit([user.entry(2)])
        try await user.expect([2, 7], in: ledger)
        await ledger.close()
        await other.close()
    }

    @Test func anOwnerLearnsThatTheFileInItsPlaceHasALaterOne() async throws {
        let other = try open("other.sqlite")
        for _ in 1...9 { _ = try await other.begin() }
        await other.close()
        let ledger = try open()
        let user = LedgerUser(owner: try await ledger.begin())
        try remove("store.sqlite-wal", "store.sqlite-shm")
        #expect(rename(folder.file("other.sqlite").path, path) == 0)
        await #expect(throws: replaced) { try await ledger.commit([user.entry(1)]) }
        await #expect(throws: LedgerError.ownerHasEnded) { try await ledger.commit([user.entry(1)]) }
        #expect(try await ledger.begin() == 10)
        await ledger.close()
    }

    @Test func anErrorInAStatementIsNoDamage() throws {
        let file = try LedgerFile(folder.file(), options: LedgerFile.Options(), report: reports.collect)
        #expect(throws: StorageError.self) { try file.transaction { try $0.execute("SELECT nothing FROM nowhere") } }
        #expect(reports.all.isEmpty)
        file.close()
    }

    @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
    func theRecordsOfADeletedLogRemain(suffixes: [String]) async throws {
        let ledger = try open()
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit([user.entry(1)])
        for suffix in suffixes { try remove("store.sqlite\(suffix)") }
        await #expect(throws: replaced) { try await ledger.commit([user.entry(2)]) }
        _ = try await ledger.commit([user.entry(2), user.entry(3)])
        try await user.expect([1, 2, 3], in: ledger)
        await ledger.close()
        let again = try open()
        try await user.expect([1, 2, 3], in: again)
        await again.close()
        #expect(reports.all == [.databaseReplaced(path: path)])
    }

    @Test func theRecordsOfALogThatIsDeletedLastRemain() async throws {
        let ledger = try open()
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit([user.entry(1)])
        try remove("store.sqlite-wal", "store.sqlite-shm")
        await ledger.close()
        let again = try open()
        try await user.expect([1], in: again)
        await again.close()
    }

    @Test func aSymbolicLinkLeadsToTheFile() async throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link").path, withDestinationPath: other.file().path)
        let ledger = try open("link")
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit([user.entry(1)])
        #expect(folder.names == ["link"])
        #expect(throws: StorageError(.inUse, path: other.file().path)) { try SQLiteLedger(file: other.file()) }
        await ledger.close()
        let again = try SQLiteLedger(file: other.file())
        try await user.expect([1], in: again)
        await again.close()
    }

    @Test func aFileWithSeveralNamesIsRefused() async throws {
        let ledger = try open()
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit([user.entry(1)])
        await ledger.close()
        try FileManager.default.linkItem(at: folder.file(), to: folder.file("second"))
        for name in ["store.sqlite", "second"] {
            #expect(throws: StorageError(.hardLinked, path: folder.file(name).path)) { try open(name) }
        }
        try remove("second")
        let again = try open()
        try await user.expect([1], in: again)
        await again.close()
    }

    @Test(arguments: ["PRAGMA application_id = 7", "CREATE TABLE other (a)"])
    func anotherProgramsDatabaseIsLeftAlone(sql: String) throws {
        do { try Connection(path: path, busyTimeout: 0).execute(sql) }
        #expect(throws: StorageError(.foreignDatabase, path: path)) { try open() }
        #expect(reports.all.isEmpty)
    }

    @Test func aLaterVersionsDatabaseIsLeftAlone() async throws {
        await (try open()).close()
        do { try Connection(path: path, busyTimeout: 0).execute("PRAGMA user_version = 2") }
        #expect(throws: StorageError(.newerVersion, path: path)) { try open() }
        #expect(reports.all.isEmpty)
    }

    @Test func aCopyThatIsMadeWhileTheLedgerIsInUseIsComplete() async throws {
        let ledger = try open()
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit((1...100).map { user.entry($0) })
        let copy = folder.file("copy.sqlite")
        do { try Connection(path: path, busyTimeout: 1000).execute("VACUUM INTO '\(copy.path)'") }
        _ = try await ledger.commit([user.entry(101)])
        let restored = try open("copy.sqlite")
        try await user.expect(1...100, in: restored)
        await restored.close()
        await ledger.close()
    }
}
