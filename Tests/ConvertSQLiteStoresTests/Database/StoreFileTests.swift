import ConvertTestSupport
@testable import ConvertSQLiteStores
import ConvertMobileRules
import Foundation
import Testing

/// What becomes of files that are not as they should be.
@Suite(.timeLimit(.minutes(10)))
struct StoreFileTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private static let event = EventFingerprint(rawValue: 1)

    /// A history with some thousand occurrences, closed.
    private func makeStore() async throws {
        try await aside { [folder] in
            let history = try SQLiteEventHistory(file: folder.file())
            for time in 0..<2000 as Range<Int64> { try history.record(EventFingerprint(rawValue: 1), at: time) }
        }
        // The history's own thread may be the last to let go of it. The log is gone when the database is closed.
        #expect(await folder.isClosed())
    }

    private func history(_ file: URL? = nil) throws -> SQLiteEventHistory {
        try SQLiteEventHistory(file: file ?? folder.file(), report: reports.collect)
    }

    private func asideFile(_ number: Int = 1) -> URL { folder.file("store.sqlite.corrupt-\(number)") }

    static let damages: [@Sendable (inout Data) -> Void] = [
        { $0 = Data("This was a database once.".utf8) },
        { $0 = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }) },
        { $0.replaceSubrange(0..<16, with: Data(count: 16)) },
        { $0 = $0.prefix($0.count / 2) },
        { $0 = $0.prefix(1000) },
        { $0.replaceSubrange(4096..<$0.count, with: Data(repeating: 0xAB, count: $0.count - 4096)) },
        { $0.replaceSubrange(100..<4096, with: Data(repeating: 0xCD, count: 3996)) },
    ]

    @Test(arguments: damages.indices) func aCorruptDatabaseIsSetAside(index: Int) async throws {
        try await makeStore()
        var data = try Data(contentsOf: folder.file())
        Self.damages[index](&data)
        try data.write(to: folder.file())
        let history = try history()
        for time in 5000..<5100 as Range<Int64> { try history.record(Self.event, at: time) }
        #expect(await eventually { (try? history.occurrences(of: Self.event, in: 5000...6000).count) == 100 })
        let expected = StoreDiagnostic.corruptDatabaseSetAside(path: folder.file().path, movedTo: asideFile().path)
        #expect(await eventually { reports.all == [expected] })
        #expect(reports.all.first?.description.contains(asideFile().path) == true)
        #expect(FileManager.default.fileExists(atPath: asideFile().path))
    }

    static let changes = [
        "DROP TABLE occurrences", "DROP TABLE occurrence_count", "PRAGMA user_version = -1", "PRAGMA user_version = 1",
    ]

    @Test(arguments: changes) func aDatabaseThatLacksSomethingIsSetAside(change: String) async throws {
        try await makeStore()
        do { try Connection(path: folder.file().path, busyTimeout: 5_000).execute(change) }
        let history = try history()
        try history.record(Self.event, at: 5000)
        #expect(await eventually { (try? history.occurrences(of: Self.event, in: 0...9000).count) == 1 })
        #expect(FileManager.default.fileExists(atPath: asideFile().path))
    }

    @Test func anErrorInAStatementIsNoDamage() throws {
        let file = try StoreFile(folder.file(), report: reports.collect)
        #expect(throws: StorageError.self) { try file.perform { try $0.execute("SELECT nothing FROM nowhere") } }
        #expect(!FileManager.default.fileExists(atPath: asideFile().path))
    }

    @Test func aWrongCountOfOccurrencesDeletesNothing() async throws {
        try await makeStore()
        do {
            try Connection(path: folder.file().path, busyTimeout: 5_000).execute(
                "UPDATE occurrence_count SET count = \(Int64.max)")
        }
        let history = try history()
        for time in 5000..<5010 as Range<Int64> { try history.record(Self.event, at: time) }
        #expect(await eventually { (try? history.occurrences(of: Self.event, in: 0...9000).count) == 2010 })
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func aReportThatCannotBePrintedEndsNothing() async throws {
        try Data("This was a database once.".utf8).write(to: folder.file())
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let probe = try Probe("open", folder.file().path, standardError: full)
        #expect(await probe.wholeOutput() == "opened")
        #expect(folder.names.contains("store.sqlite.corrupt-1"))
    }

    @Test func aSecondCorruptDatabaseDoesNotReplaceTheFirst() async throws {
        for number in 1...3 {
            try Data("garbage \(number), long enough to be looked at".utf8).write(to: folder.file())
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file().path + suffix) }
            _ = try history()
            // The history's own thread may be the last to let go of it.
            #expect(await folder.isClosed())
            let data = try Data(contentsOf: asideFile(number))
            #expect(data == Data("garbage \(number), long enough to be looked at".utf8))
        }
        #expect(reports.all.count == 3)
    }

    @Test func aLogThatDoesNotBelongToTheDatabaseIsIgnored() async throws {
        try await makeStore()
        try Data(repeating: 0x37, count: 50_000).write(to: folder.file("store.sqlite-wal"))
        #expect(try history().occurrences(of: Self.event, in: 0...9000).count == 2000)
        #expect(reports.all.isEmpty)
    }

    @Test func processesThatMeetACorruptDatabaseAtOnceSetItAsideOnce() async throws {
        try Data("garbage, long enough to be looked at by a database".utf8).write(to: folder.file())
        let path = folder.file().path
        let probes = try (0..<3).map { try Probe("record", path, "\($0 * 100)", "20") }
        let outputs = await Probe.wholeOutputs(probes)
        #expect(outputs == ["recorded", "recorded", "recorded"])
        #expect(folder.names.filter { $0.contains("corrupt") } == ["store.sqlite.corrupt-1"])
        #expect(try history().occurrences(of: Self.event, in: 0...9000).count == 60)
    }

    @Test func aDatabaseOfALaterVersionIsLeftAlone() async throws {
        try await makeStore()
        do {
            let connection = try Connection(path: folder.file().path, busyTimeout: 5_000)
            try connection.execute("PRAGMA user_version = 99")
        }
        let before = try Data(contentsOf: folder.file())
        #expect(throws: StorageError(.newerVersion, path: folder.file().path)) {
            try history()
        }
        #expect(try Data(contentsOf: folder.file()) == before)
        #expect(reports.all.isEmpty)
    }

    @Test func aDatabaseOfSomethingElseIsLeftAlone() throws {
        do {
            let connection = try Connection(path: folder.file().path, busyTimeout: 5_000)
            try connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (1)")
        }
        let before = try Data(contentsOf: folder.file())
        #expect(throws: StorageError(.foreignDatabase, path: folder.file().path)) {
            try SQLiteEventHistory(file: folder.file())
        }
        #expect(try Data(contentsOf: folder.file()) == before)
    }

    @Test func stepsThatAreNewAreTakenOnce() throws {
        let connection = try Connection(path: folder.file().path, busyTimeout: 5_000)
        var later = Schema.stores
        later.steps.append("CREATE TABLE more (id INTEGER); INSERT INTO more VALUES (1)")
        try Schema.stores.apply(to: connection)
        #expect(try connection.integer("PRAGMA user_version") == Int64(Schema.stores.steps.count))
        for _ in 0..<2 { try later.apply(to: connection) }
        #expect(try connection.integer("SELECT count(*) FROM more") == 1)
        #expect(try connection.integer("PRAGMA user_version") == Int64(later.steps.count))
        #expect(throws: StorageError.self) { try Schema.stores.apply(to: connection) }
    }

    @Test func aStepThatFailsChangesNothing() throws {
        let connection = try Connection(path: folder.file().path, busyTimeout: 5_000)
        var later = Schema.stores
        later.steps.append("CREATE TABLE visitors (id INTEGER)")
        #expect(throws: StorageError.self) { try later.apply(to: connection) }
        #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 0)
        try Schema.stores.apply(to: connection)
    }

    @Test func oneFileMayServeHistoryAndProfile() async throws {
        let history = try history()
        try history.record(Self.event, at: 1)
        let profile = try ClientSideProfile(file: folder.file())
        withExtendedLifetime(profile) {}
        #expect(try history.occurrences(of: Self.event, in: 0...2).count == 1)
    }

    @Test func makesItsFolder() throws {
        let history = try history(folder.url.appendingPathComponent("a/b/store.sqlite"))
        #expect(try history.occurrences(of: Self.event, in: 0...9).count == 0)
    }

    @Test func onlyTheOwnerMayReadTheFiles() throws {
        let file = folder.url.appendingPathComponent("made/store.sqlite")
        let history = try history(file)
        try history.record(Self.event, at: 1)
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path + suffix)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(suffix)")
        }
        withExtendedLifetime(history) {}
    }

    @Test func aPlaceWhereNothingCanBeMadeIsATypedError() throws {
        try Data("file".utf8).write(to: folder.file("file"))
        let beneathAFile = folder.url.appendingPathComponent("file/store.sqlite")
        let error = #expect(throws: StorageError.self) { try history(beneathAFile) }
        #expect(error?.code == .cannotOpen && error?.path == beneathAFile.path)
        #expect(throws: StorageError.self) { try history(folder.url) }
        let page = try #require(URL(string: "https://example.com/store.sqlite"))
        #expect(throws: StorageError(.cannotOpen, path: "https://example.com/store.sqlite")) { try history(page) }
    }

    @Test func waitingForTheProcessThatOpensItHasAnEnd() throws {
        let path = folder.file().path
        let lock = try FileLock(path + ".lock", for: path, patience: 0, orElse: .busy)
        var options = StoreFile.Options()
        options.busyTimeout = 30
        #expect(throws: StorageError(.busy, path: path)) {
            try SQLiteEventHistory(
                file: folder.file(), retention: EventHistoryRetention(), options: options, report: { _ in })
        }
        withExtendedLifetime(lock) {}
    }

    @Test func aDatabaseThatIsDeletedWhileInUseIsBegunAnew() async throws {
        let history = try history()
        try history.record(Self.event, at: 1)
        for name in folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
        try history.record(Self.event, at: 2)
        #expect(await eventually { reports.all == [.databaseReplaced(path: folder.file().path)] })
        #expect(try self.history().occurrences(of: Self.event, in: 0...9).count == 1)
    }

    @Test func errorsSayWhatWhereAndWhatToDo() {
        let codes: [StorageError.Code] = [
            .cannotOpen, .readOnly, .full, .busy, .inUse, .hardLinked, .replaced, .corrupt, .newerVersion,
            .foreignDatabase,
            .inputOutput, .other,
        ]
        let texts = codes.map { "\(StorageError($0, path: "/data/store.sqlite", underlyingCode: 13))" }
        #expect(Set(texts).count == codes.count)
        #expect(StorageError(.full, path: "/a").localizedDescription == "\(StorageError(.full, path: "/a"))")
        #expect(texts.allSatisfy { $0.contains("(/data/store.sqlite) [13]: ") })
    }
}
