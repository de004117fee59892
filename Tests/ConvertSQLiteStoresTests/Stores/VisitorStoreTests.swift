import ConvertTestSupport
import ConvertStoreContracts
import ConvertECMAScript
@testable import ConvertSQLiteStores
import ConvertSwiftSDKCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct VisitorStoreTests {
    let folder: TemporaryFolder
    let store: SQLiteVisitorStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteVisitorStore(file: folder.file())
    }

    @Test(arguments: VisitorStoreContract.allCases)
    func keepsTheContract(clause: VisitorStoreContract) async throws {
        try await clause.check { try SQLiteVisitorStore(file: folder.file()) }
    }

    @Test func savesThatWaitTogetherShareTransactions() async throws {
        var options = StoreFile.Options()
        options.busyTimeout = 300_000
        let store = try SQLiteVisitorStore(
            file: folder.file(), maximumCount: 1000, options: options, report: StoreDiagnostic.printToStandardError)
        let count = 300
        let other = try Connection(path: folder.file().path, busyTimeout: 1000)
        _ = try other.statement("PRAGMA wal_checkpoint(TRUNCATE)").first { _ in }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup { group in
            try other.execute("BEGIN IMMEDIATE")
            for index in 0..<count {
                group.addTask {
                    begin.yield()
                    try await store.save(VisitorState(json: #"{"goals":{"g":true}}"#), for: "\(index)")
                }
            }
            for await _ in begun.prefix(count) {}
            try other.execute("COMMIT")
            try await group.waitForAll()
        }
        #expect(try other.integer("SELECT count(*) FROM visitors") == count)
        // A transaction writes the changed pages to the log, three at least; together the visitors fill a few.
        let pages = try other.statement("PRAGMA wal_checkpoint(PASSIVE)").first { $0.integer(1) }
        #expect(try #require(pages) < count)
    }

    @Test func aSaveThatWaitsForAnotherProcessHoldsUpNoLoad() async throws {
        var options = StoreFile.Options()
        options.busyTimeout = 300_000
        let store = try SQLiteVisitorStore(
            file: folder.file(), maximumCount: 1000, options: options, report: StoreDiagnostic.printToStandardError)
        let record = try VisitorState(json: #"{"goals":{"g":true}}"#)
        try await store.save(record, for: "v")
        let other = try Connection(path: folder.file().path, busyTimeout: 1000)
        try other.execute("BEGIN IMMEDIATE")
        let save = Task { try await store.save(record, for: "w") }
        for _ in 0..<100 { #expect(try await store.load("v") == record) }
        #expect(try await store.load("w") == nil)
        try other.execute("COMMIT")
        try await save.value
        #expect(try await store.load("w") == record)
    }

    @Test func savesThatFailTogetherAllSaySo() async throws {
        var options = StoreFile.Options()
        options.busyTimeout = 0
        let store = try SQLiteVisitorStore(
            file: folder.file(), maximumCount: 1000, options: options, report: StoreDiagnostic.printToStandardError)
        let record = try VisitorState(json: #"{"goals":{"g":true}}"#)
        let other = try Connection(path: folder.file().path, busyTimeout: 1000)
        try other.execute("BEGIN IMMEDIATE")
        let codes = await withTaskGroup { group in
            for index in 0..<200 {
                group.addTask { () -> StorageError.Code? in
                    do { try await store.save(record, for: "\(index)") } catch { return (error as? StorageError)?.code }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .busy, count: 200))
        try other.execute("COMMIT")
        try await store.save(record, for: "v")
        #expect(try other.integer("SELECT count(*) FROM visitors") == 1)
    }

    @Test func twoProcessesSaveOneVisitor() async throws {
        let path = folder.file().path
        var options = StoreFile.Options()
        // Others may be kept from running while they hold the database.
        options.busyTimeout = 300_000
        let store = try SQLiteVisitorStore(
            file: folder.file(), maximumCount: 1000, options: options, report: StoreDiagnostic.printToStandardError)
        let probes = try ["a", "b"].map { try Probe("save", path, "v", $0, "200") }
        for index in 0..<100 { try await store.save(VisitorState(json: #"{"goals":{"c-\#(index)":true}}"#), for: "v") }
        #expect(await Probe.wholeOutputs(probes) == ["saved", "saved"])
        #expect(try await store.load("v")?.goals?.members.count == 500)
    }

    @Test func aKilledProcessLeavesWholeRecords() async throws {
        let probe = try Probe("save", folder.file().path, "v", "g", "1000000")
        var saved = 0
        let end = ContinuousClock.now + .seconds(300)
        while saved < 50, ContinuousClock.now < end {
            saved = try await store.load("v")?.goals?.members.count ?? 0
            try await Task.sleep(for: .milliseconds(5))
        }
        _ = probe.kill()
        let goals = try await store.load("v")?.goals?.members.map(\.key.name) ?? []
        #expect(goals.count >= saved && saved >= 50)
        #expect(Set(goals) == Set((0..<goals.count).map { "g-\($0)" }))
        let verdict = try Connection(path: folder.file().path, busyTimeout: 1000)
            .statement("PRAGMA integrity_check").first { $0.data(0) }
        #expect(verdict == Data("ok".utf8))
    }

    @Test(arguments: [false, true]) func aRecordThatCannotBeReadIsForgotten(isLoadedFirst: Bool) async throws {
        let reports = Reports()
        let store = try SQLiteVisitorStore(file: folder.file("broken.sqlite"), report: reports.collect)
        let record = try VisitorState(json: #"{"goals":{"g":true}}"#)
        try await store.save(record, for: "v")
        let other = try Connection(path: folder.file("broken.sqlite").path, busyTimeout: 1000)
        try other.execute("UPDATE visitors SET record = x'7b'")
        if isLoadedFirst {
            for _ in 0..<3 { #expect(try await store.load("v") == nil) }
            #expect(try other.integer("SELECT count(*) FROM visitors") == 0)
            #expect(try other.integer("SELECT count FROM visitor_count") == 0)
            #expect(await eventually { reports.all.count == 1 })
            #expect(reports.all.first.map { "\($0)".contains("a visitor's record") } ?? false)
        }
        try await store.save(record, for: "v")
        #expect(try await store.load("v") == record)
        #expect(try other.integer("SELECT count FROM visitor_count") == 1)
    }

    @Test func forgetsThoseWhoWereNotSavedForLongest() async throws {
        let small = try SQLiteVisitorStore(file: folder.file("small.sqlite"), maximumCount: 500)
        let record = try VisitorState(json: #"{"goals":{"g":true}}"#)
        try await small.save(record, for: "faithful")
        for index in 0..<1000 {
            try await small.save(record, for: "\(index)")
            if index % 100 == 0 { try await small.save(record, for: "faithful") }
        }
        #expect(try await small.load("faithful") != nil)
        #expect(try await small.load("0") == nil)
        #expect(try await small.load("999") != nil)
        let count = try Connection(path: folder.file("small.sqlite").path, busyTimeout: 5_000)
            .integer("SELECT count(*) FROM visitors")
        #expect((500...520).contains(count))
    }
}
