import ConvertTestSupport
import ConvertStoreContracts
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventJournalTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> SQLiteEventJournal { try SQLiteEventJournal(file: folder.file()) }

    @Test(arguments: EventJournalContract.allCases)
    func keepsTheContract(clause: EventJournalContract) async throws { try await clause.check(open: open) }

    @Test func whatWasNotRemovedIsThereAfterARestart() async throws {
        var journal: SQLiteEventJournal? = try open()
        let ids = try journal?.append([Data("a".utf8), Data("b".utf8)])
        journal = nil
        #expect(try await open().events(after: 0, limit: 10).map(\.id) == ids)
    }

    @Test func appendsFromManyThreadsKeepTheirBatchesTogether() async throws {
        let journal = try open()
        let batches = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for batch in 0..<100 {
                group.addTask { try journal.append((0..<5).map { Data("\(batch) \($0)".utf8) }) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(batches.allSatisfy { $0 == Array($0[0]..<$0[0] + 5) })
        let events = try await journal.events(after: 0, limit: 1000)
        #expect(events.count == 500)
        #expect(events.enumerated().allSatisfy { String(decoding: $1.record, as: UTF8.self).hasSuffix(" \($0 % 5)") })
    }

    @Test func hasOneOwnerAtATime() async throws {
        var journal: SQLiteEventJournal? = try open()
        #expect(throws: StorageError(.inUse, path: folder.file().path)) { try open() }
        #expect(try await Probe("own", folder.file().path).wholeOutput() == "inUse")
        withExtendedLifetime(journal) {}
        journal = nil
        let probe = try Probe("own", folder.file().path)
        #expect(await probe.lines(1) == ["owned"])
        #expect(throws: StorageError(.inUse, path: folder.file().path)) { try open() }
        probe.finish()
        journal = try open()
    }

    @Test(arguments: 0..<5) func aKilledProcessLosesNothingItHadAccepted(round: Int) async throws {
        let probe = try Probe("append", folder.file().path)
        let accepted = await probe.lines(50 + 137 * round) + probe.kill()
        #expect(accepted.count >= 50 + 137 * round)
        let verdict = try Connection(path: folder.file().path, busyTimeout: 5_000)
            .statement("PRAGMA integrity_check").first { $0.data(0) }
        #expect(verdict == Data("ok".utf8))
        // The kill freed the journal; no mark was left to clean up.
        let events = try await open().events(after: 0, limit: 1_000_000)
        let stored = events.map { "\($0.id) \(String(decoding: $0.record, as: UTF8.self))" }
        #expect(stored.prefix(accepted.count).elementsEqual(accepted.map(String.init)))
        // What was stored but not yet said: at most one batch, and that whole.
        #expect(stored.count - accepted.count <= 3)
        #expect(events.map(\.id) == events.map(\.id).sorted())
        #expect(events.indices.allSatisfy { String(decoding: events[$0].record, as: UTF8.self) == "event \($0)" })
    }

    @Test func aDiskThatIsFullRefusesWholeBatchesAndRecovers() async throws {
        var options = StoreFile.Options()
        options.maximumPageCount = 40
        let journal = try SQLiteEventJournal(file: folder.file(), options: options) { _ in }
        var accepted: [Int64] = []
        let error = #expect(throws: StorageError.self) {
            while true { accepted += try journal.append((0..<3).map { _ in Data(repeating: 1, count: 3000) }) }
        }
        #expect(error?.code == .full)
        #expect(accepted.count >= 3 && accepted.count % 3 == 0)
        #expect(try await journal.events(after: 0, limit: 1000).map(\.id) == accepted)
        try await journal.remove(Array(accepted.prefix(6)))
        let more = try journal.append([Data("again".utf8)])
        #expect(try await journal.events(after: accepted[accepted.count - 1], limit: 10).map(\.id) == more)
    }

    @Test func aJournalThatIsBegunAnewGivesNoOldIDs() async throws {
        let reports = Reports()
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        let old = try journal.append((0..<200).map { Data("\($0)".utf8) })
        try FileManager.default.removeItem(at: folder.file())
        let new = try journal.append([Data("new".utf8)])
        #expect(new[0] > old[199])
        #expect(await eventually { reports.all == [.databaseReplaced(path: folder.file().path)] })
        try await journal.remove(old)
        #expect(try await journal.events(after: 0, limit: 10).map(\.id) == new)
    }

    @Test func roomIsGivenBackToTheDisk() async throws {
        let journal = try open()
        let ids = try journal.append((0..<40).map { _ in Data(repeating: 1, count: 1 << 20) })
        for id in ids { try await journal.remove([id]) }
        let probe = try Connection(path: folder.file().path, busyTimeout: 1000)
        let isSmall = await eventually { (try? probe.integer("PRAGMA page_count")).map { $0 < 3000 } == true }
        #expect(isSmall, "40 MB are 10,000 pages")
        // On the disk as well, not only in the log.
        #expect(await eventually { folder.size() < 3000 * 4096 })
    }

    @Test(arguments: [false, true]) func survivingAPowerFailureIsAChoice(isChosen: Bool) async throws {
        let journal = try SQLiteEventJournal(
            file: folder.file(), durability: isChosen ? .powerFailure : .processEnd)
        // FULL: after each transaction the log is on the disk; or NORMAL. Then whether SQLite waits for the disk's own cache,
        // after each transaction and before it begins the log anew.
        #expect(try journal.syncSettings == (isChosen ? [2, 1, 1] : [1, 0, 1]))
        let ids = try journal.append([Data("a".utf8)])
        #expect(try await journal.events(after: 0, limit: 1).map(\.id) == ids)
    }

    @Test(arguments: ["max(id) - 1", "min(id)", "5"])
    func aSequenceBehindItsRowsGivesNoOldIDs(last: String) async throws {
        let file = folder.file("behind.sqlite")
        let old = try SQLiteEventJournal(file: file).append((0..<5).map { Data([$0]) })
        #expect(await eventually { !folder.names.contains("behind.sqlite-wal") })
        try Connection(path: file.path, busyTimeout: 1000)
            .execute("UPDATE sqlite_sequence SET seq = (SELECT \(last) FROM events) WHERE name = 'events'")
        let new = try SQLiteEventJournal(file: file, report: { _ in }).append([Data("new".utf8)])
        #expect(try #require(new.first) > #require(old.max()))
    }
}
