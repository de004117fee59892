import ConvertTestSupport
@testable import ConvertSQLiteStores
import ConvertECMAScript
import ConvertMobileRules
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestServer
import Foundation
import Testing

/// What becomes of files that are not as they should be.
@Suite(.timeLimit(.minutes(10)))
struct StoreFileTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    /// A store with some hundred visitors, closed.
    private func makeStore() async throws {
        let record = try VisitorState(json: #"{"segments":{"source":"\#(String(repeating: "x", count: 2000))"}}"#)
        do {
            let store = try SQLiteVisitorStore(file: folder.file())
            for index in 0..<200 { try await store.save(record, for: "\(index)") }
        }
        // The store's own thread may be the last to let go of it. The log is gone when the database is closed.
        #expect(await folder.isClosed())
    }

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
        let store = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        let record = try VisitorState(json: #"{"goals":{"g":true}}"#)
        for index in 0..<200 { try await store.save(record, for: "\(index)") }
        #expect(try await store.load("7")?.goals == record.goals)
        let aside = folder.file("store.sqlite.corrupt-1")
        let expected = StoreDiagnostic.corruptDatabaseSetAside(path: folder.file().path, movedTo: aside.path)
        #expect(await eventually { reports.all == [expected] })
        #expect(reports.all.first?.description.contains(aside.path) == true)
        #expect(FileManager.default.fileExists(atPath: aside.path))
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
            _ = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
            // The store's own thread may be the last to let go of it.
            #expect(await folder.isClosed())
            let aside = try Data(contentsOf: folder.file("store.sqlite.corrupt-\(number)"))
            #expect(aside == Data("garbage \(number), long enough to be looked at".utf8))
        }
        #expect(reports.all.count == 3)
    }

    @Test func aLogThatDoesNotBelongToTheDatabaseIsIgnored() async throws {
        try await makeStore()
        try Data(repeating: 0x37, count: 50_000).write(to: folder.file("store.sqlite-wal"))
        let store = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        #expect(try await store.load("7") != nil)
        #expect(reports.all.isEmpty)
    }

    @Test func storesThatMeetACorruptDatabaseAtOnceSetItAsideOnce() async throws {
        try Data("garbage, long enough to be looked at by a database".utf8).write(to: folder.file())
        let path = folder.file().path
        let probes = try (0..<3).map { try Probe("save", path, "v", "\($0)", "20") }
        let outputs = await Probe.wholeOutputs(probes)
        #expect(outputs == ["saved", "saved", "saved"])
        #expect(folder.names.filter { $0.contains("corrupt") } == ["store.sqlite.corrupt-1"])
        let store = try SQLiteVisitorStore(file: folder.file())
        #expect(try await store.load("v")?.goals?.members.count == 60)
    }

    @Test func aDatabaseOfALaterVersionIsLeftAlone() async throws {
        try await makeStore()
        do {
            let connection = try Connection(path: folder.file().path, busyTimeout: 5_000)
            try connection.execute("PRAGMA user_version = 99")
        }
        let before = try Data(contentsOf: folder.file())
        #expect(throws: StorageError(.newerVersion, path: folder.file().path)) {
            try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
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
        let later = Migrations.steps + ["CREATE TABLE more (id INTEGER); INSERT INTO more VALUES (1)"]
        try Migrations.apply(to: connection)
        #expect(try connection.integer("PRAGMA user_version") == Int64(Migrations.steps.count))
        for _ in 0..<2 { try Migrations.apply(to: connection, steps: later) }
        #expect(try connection.integer("SELECT count(*) FROM more") == 1)
        #expect(try connection.integer("PRAGMA user_version") == Int64(later.count))
        #expect(throws: StorageError.self) { try Migrations.apply(to: connection) }
    }

    @Test func aStepThatFailsChangesNothing() throws {
        let connection = try Connection(path: folder.file().path, busyTimeout: 5_000)
        #expect(throws: StorageError.self) {
            try Migrations.apply(to: connection, steps: Migrations.steps + ["CREATE TABLE visitors (id INTEGER)"])
        }
        #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 0)
        try Migrations.apply(to: connection)
    }

    @Test func oneFileMayServeAllStores() async throws {
        let visitors = try SQLiteVisitorStore(file: folder.file())
        let journal = try SQLiteEventJournal(file: folder.file())
        let history = try SQLiteEventHistory(file: folder.file())
        try await visitors.save(VisitorState(json: #"{"goals":{"g":true}}"#), for: "v")
        let ids = try journal.append([Data("e".utf8)])
        try history.record(EventFingerprint(rawValue: 1), at: 1)
        #expect(try await visitors.load("v") != nil)
        #expect(try await journal.events(after: 0, limit: 1).map(\.id) == ids)
        #expect(try history.occurrences(of: EventFingerprint(rawValue: 1), in: 0...2).count == 1)
    }

    @Test func makesItsFolder() async throws {
        let file = folder.url.appendingPathComponent("a/b/store.sqlite")
        let store = try SQLiteVisitorStore(file: file)
        #expect(try await store.load("v") == nil)
    }

    @Test func onlyTheOwnerMayReadTheFiles() async throws {
        let file = folder.url.appendingPathComponent("made/store.sqlite")
        let store = try SQLiteVisitorStore(file: file)
        try await store.save(VisitorState(json: #"{"goals":{"g":true}}"#), for: "v")
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path + suffix)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(suffix)")
        }
    }

    @Test func aPlaceWhereNothingCanBeMadeIsATypedError() throws {
        try Data("file".utf8).write(to: folder.file("file"))
        let beneathAFile = folder.url.appendingPathComponent("file/store.sqlite")
        let error = #expect(throws: StorageError.self) { try SQLiteVisitorStore(file: beneathAFile) }
        #expect(error?.code == .cannotOpen && error?.path == beneathAFile.path)
        #expect(throws: StorageError.self) { try SQLiteEventJournal(file: beneathAFile) }
        #expect(throws: StorageError.self) { try SQLiteVisitorStore(file: folder.url) }
        let page = try #require(URL(string: "https://example.com/store.sqlite"))
        #expect(throws: StorageError(.cannotOpen, path: "https://example.com/store.sqlite")) {
            try SQLiteVisitorStore(file: page)
        }
        #expect(throws: StorageError.self) { try SQLiteEventJournal(file: page) }
    }

    @Test func aFolderThatMayNotBeWrittenToIsATypedError() async throws {
        let open = FileManager.default
        try open.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        #expect(try await Probe("unprivileged", folder.file().path).wholeOutput() == "readOnly")
        try open.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        try await makeStore()
        for name in folder.names {
            try open.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file(name).path)
        }
        try open.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        #expect(try await Probe("unprivileged", folder.file().path).wholeOutput() == "readOnly")
        try open.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    }

    @Test func aDiskThatIsFullIsATypedErrorAndLosesNothing() async throws {
        var options = StoreFile.Options()
        options.maximumPageCount = 40
        let store = try SQLiteVisitorStore(
            file: folder.file(), maximumCount: 1000, options: options, report: reports.collect)
        let record = try VisitorState(json: #"{"segments":{"source":"\#(String(repeating: "x", count: 2000))"}}"#)
        var count = 0
        let error = await #expect(throws: StorageError.self) {
            while true {
                try await store.save(record, for: "\(count)")
                count += 1
            }
        }
        #expect(error?.code == .full && error?.path == folder.file().path)
        for index in 0..<count { #expect(try await store.load("\(index)") == record) }
        #expect(reports.all.isEmpty)
    }

    @Test func aDatabaseThatStaysLockedIsATypedError() async throws {
        var options = StoreFile.Options()
        options.busyTimeout = 50
        let store = try SQLiteVisitorStore(file: folder.file(), maximumCount: 10, options: options, report: { _ in })
        let other = try Connection(path: folder.file().path, busyTimeout: 5_000)
        try other.execute("BEGIN IMMEDIATE")
        let change = try VisitorState(json: #"{"goals":{"g":true}}"#)
        let error = await #expect(throws: StorageError.self) { try await store.save(change, for: "v") }
        #expect(error?.code == .busy)
        #expect(try await store.load("v") == nil, "reading goes on meanwhile")
        try other.execute("COMMIT")
        try await store.save(change, for: "v")
        #expect(try await store.load("v") == change)
    }

    @Test func waitingForWhoOpensItHasAnEnd() throws {
        let path = folder.file().path
        let lock = try FileLock(path + ".lock", for: path, patience: 0, orElse: .busy)
        var options = StoreFile.Options()
        options.busyTimeout = 30
        #expect(throws: StorageError(.busy, path: path)) {
            try SQLiteVisitorStore(file: folder.file(), maximumCount: 1, options: options, report: { _ in })
        }
        withExtendedLifetime(lock) {}
    }

    @Test func aDatabaseThatIsDeletedWhileInUseIsBegunAnew() async throws {
        let store = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        let change = try VisitorState(json: #"{"goals":{"g":true}}"#)
        try await store.save(change, for: "before")
        for name in folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
        try await store.save(change, for: "after")
        #expect(await eventually { reports.all == [.databaseReplaced(path: folder.file().path)] })
        let other = try SQLiteVisitorStore(file: folder.file())
        #expect(try await other.load("after") == change)
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
