import ConvertTestSupport
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation
import Testing

/// How a journal's rows get from the files in which they arrive into its database, and when they do not.
@Suite(.timeLimit(.minutes(10)))
struct ArrivingRowsTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private func open(_ change: (inout StoreFile.Options) -> Void = { _ in }) throws -> SQLiteEventJournal {
        var options = StoreFile.Options()
        // What looks after a database that was just let go may hold it for long on a busy machine.
        options.busyTimeout = 60_000
        change(&options)
        return try SQLiteEventJournal(file: folder.file(), options: options, report: reports.collect)
    }

    private func rowCount() throws -> Int64 {
        try Connection(path: folder.file().path, busyTimeout: 10_000).integer("SELECT count(*) FROM events")
    }

    private static let arrivals = ["store.sqlite-arrivals-1", "store.sqlite-arrivals-2"]

    @Test func whatIsRemovedSoonNeverGetsIntoTheDatabase() async throws {
        let journal = try open { $0.arrivals.full = 20_000 }
        for _ in 0..<200 {
            let ids = try journal.append((0..<10).map { _ in Data(count: 100) })
            try await journal.remove(ids)
        }
        #expect(try rowCount() == 0)
        let last = try Connection(path: folder.file().path, busyTimeout: 10_000)
            .integer("SELECT count(*) FROM events WHERE id > 0")
        #expect(last == 0 && folder.size("-arrivals-1") + folder.size("-arrivals-2") < 50_000)
        #expect(try await journal.events(after: 0, limit: 10).isEmpty)
    }

    @Test func whatStaysIsMovedIntoTheDatabaseInOrder() async throws {
        let journal = try open { $0.arrivals = ArrivalLimits(full: 20_000, longest: 60_000) }
        var ids: [Int64] = []
        for number in 0..<500 { ids += try journal.append([Data("\(number)".utf8), Data(count: 1000)]) }
        // The rest, at most, is in files of 60,000 bytes each.
        #expect(try rowCount() > 740)
        #expect(folder.size("-arrivals-1") + folder.size("-arrivals-2") < 130_000)
        #expect(try await journal.events(after: 0, limit: 2000).map(\.id) == ids)
        let middle = ids[600]
        #expect(try await journal.events(after: middle, limit: 300).map(\.id) == Array(ids[601..<901]))
        try await journal.remove(ids.filter { $0 % 3 != 0 })
        let rest = ids.filter { $0 % 3 == 0 }
        #expect(try await journal.events(after: 0, limit: 2000).map(\.id) == rest)
    }

    @Test func roomIsMadeInAdvanceAndAnotherProcessFindsWhatIsInIt() async throws {
        let journal = try open()
        var ids: [Int64] = []
        for number in 0..<20 {
            ids += try journal.append((0..<50).map { Data("\(number), \($0)".utf8) })
            #expect(await eventually { folder.size("-arrivals-1") >= 60_000 })
        }
        let copy = try TemporaryFolder()
        for name in folder.names where !name.hasSuffix(".owner") {
            try FileManager.default.copyItem(at: folder.file(name), to: copy.file(name))
        }
        let next = try SQLiteEventJournal(file: copy.file(), report: reports.collect)
        #expect(try await next.events(after: 0, limit: 2000).map(\.id) == ids)
        #expect(reports.all.isEmpty)
    }

    @Test func anOrderlyEndLeavesAllRowsInTheDatabase() async throws {
        var journal: SQLiteEventJournal? = try open()
        let ids = try journal?.append((0..<600).map { Data("\($0)".utf8) }) ?? []
        try await journal?.remove(Array(ids.prefix(5)))
        journal = nil
        #expect(try rowCount() == 595)
        #expect(!folder.names.contains { $0.contains("arrivals") })
        #expect(try await open().events(after: 0, limit: 1000).map(\.id) == Array(ids.dropFirst(5)))
    }

    /// What moves the log into the database takes the lock for writing now and then, as rows are moved.
    @Test func anEndWaitsForThoseWhoLookAfterTheDatabase() throws {
        var journal: SQLiteEventJournal? = try open {
            $0.log = LogLimits(moved: 10, restarted: 30, longest: 32_768)
            $0.arrivals.full = 64 << 20
        }
        for _ in 0..<40 { _ = try journal?.append((0..<500).map { _ in Data(count: 1000) }) }
        journal = nil
        #expect(try rowCount() == 20_000)
        #expect(!folder.names.contains { $0.contains("arrivals") })
    }

    @Test func aDatabaseThatIsLockedKeepsNobodyFromAppending() async throws {
        var journal: SQLiteEventJournal? = try open {
            $0.arrivals = ArrivalLimits(full: 20_000, longest: 40_000)
            $0.busyTimeout = 50
        }
        var ids = try journal?.append([Data(count: 1000)]) ?? []
        let holder = try Connection(path: folder.file().path, busyTimeout: 10_000)
        try holder.execute("BEGIN IMMEDIATE")
        for _ in 0..<40 { ids += try journal?.append([Data(count: 1000)]) ?? [] }
        // Removing what has not got there, and reading, need no lock either.
        try await journal?.remove([ids.removeFirst()])
        #expect(try await journal?.events(after: 0, limit: 100).map(\.id) == ids)
        // Until there is no room left.
        let error = #expect(throws: StorageError.self) {
            while true { ids += try journal?.append([Data(count: 1000)]) ?? [] }
        }
        #expect(error?.code == .busy)
        #expect(try await journal?.events(after: 0, limit: 100).map(\.id) == ids)
        // An end that finds it locked leaves them where they are.
        journal = nil
        #expect(folder.names.filter { $0.contains("arrivals") } == Self.arrivals)
        try holder.execute("ROLLBACK")
        journal = try open()
        ids += try journal?.append([Data("more".utf8)]) ?? []
        #expect(try await journal?.events(after: 0, limit: 100).map(\.id) == ids)
    }

    /// As a process leaves it that is killed between a row's move and the mark that it has left.
    @Test func aRowInBothPlacesIsThereOnce() async throws {
        var journal: SQLiteEventJournal? = try open()
        let ids = try journal?.append((0..<5).map { Data("\($0)".utf8) }) ?? []
        let copies = try Self.arrivals.map { try Data(contentsOf: folder.file($0)) }
        journal = nil
        for (name, copy) in zip(Self.arrivals, copies) { try copy.write(to: folder.file(name)) }
        journal = try open()
        #expect(try await journal?.events(after: 0, limit: 10).map(\.id) == ids)
        try await journal?.remove(Array(ids.prefix(3)))
        #expect(try await journal?.events(after: 0, limit: 10).map(\.id) == Array(ids.suffix(2)))
        journal = nil
        #expect(try await open().events(after: 0, limit: 10).map(\.id) == Array(ids.suffix(2)))
    }

    @Test(arguments: ["", "*"]) func filesThatAreDeletedAreMadeAnewWithTheirRows(which: String) async throws {
        var journal: SQLiteEventJournal? = try open()
        let ids = try journal?.append((0..<5).map { Data("\($0)".utf8) }) ?? []
        for name in folder.names where name == "store.sqlite" || which == "*" && name.contains("-arrivals") {
            try FileManager.default.removeItem(at: folder.file(name))
        }
        #expect(await eventually { reports.all == [.databaseReplaced(path: folder.file().path)] })
        #expect(await eventually { Set(folder.names).isSuperset(of: Self.arrivals) })
        let more = try journal?.append([Data("more".utf8)]) ?? []
        #expect(try await journal?.events(after: 0, limit: 10).map(\.id) == ids + more)
        journal = nil
        #expect(try await open().events(after: 0, limit: 10).map(\.id) == ids + more)
    }

    /// Opens a journal with a row, whose files nothing is done to until the next append.
    private func openAtRest() async throws -> (SQLiteEventJournal, ids: [Int64]) {
        let journal = try open { $0.arrivals.idsAtOnce = 10 }
        let ids = try journal.append([Data("0".utf8)])
        let look = try Connection(path: folder.file().path, busyTimeout: 10_000)
        #expect(await eventually { (try? look.integer("SELECT seq FROM sqlite_sequence")) == ids[0] + 19 })
        return (journal, ids)
    }

    private func delete(_ isDeleted: (String) -> Bool) throws {
        for name in folder.names where isDeleted(name) { try FileManager.default.removeItem(at: folder.file(name)) }
    }

    @Test func anEndSavesTheRowsOfFilesThatWereDeletedBefore() async throws {
        let ids: [Int64]
        do {
            let journal: SQLiteEventJournal
            (journal, ids) = try await openAtRest()
            try delete { $0.contains("-arrivals") }
            withExtendedLifetime(journal) {}
        }
        #expect(try rowCount() == 1)
        #expect(try await open().events(after: 0, limit: 10).map(\.id) == ids)
    }

    @Test func anOwnerWhoseLockWasDeletedTakesItAnew() async throws {
        var (journal, ids): (SQLiteEventJournal?, [Int64]) = try await openAtRest()
        try delete { _ in true }
        ids += try journal?.append([Data("1".utf8)]) ?? []
        #expect(await eventually { Set(folder.names).isSuperset(of: Self.arrivals) })
        #expect(throws: StorageError.self) { try open() }
        journal = nil
        #expect(try await open().events(after: 0, limit: 10).map(\.id) == ids)
    }

    @Test func anOwnerWhoLostTheFilesLeavesThoseOfTheNextAlone() async throws {
        var (first, ids): (SQLiteEventJournal?, [Int64]) = try await openAtRest()
        try delete { _ in true }
        var second: SQLiteEventJournal? = try open()
        var others = try second?.append([Data("other".utf8)]) ?? []
        for number in 0..<5 {
            ids += try first?.append([Data("\(number)".utf8)]) ?? []
            others += try second?.append([Data("other".utf8)]) ?? []
            // The first one has looked after its files.
            #expect(await eventually { reports.all.count > 0 })
        }
        #expect(!folder.names.contains { $0.contains("corrupt") })
        #expect(try await first?.events(after: 0, limit: 6).map(\.id) == ids)
        first = nil
        second = nil
        #expect(try await open().events(after: 0, limit: 100).map(\.id) == ids + others)
    }

    @Test func rowsWithIDsBeyondTheirRangeAreThereAgain() async throws {
        _ = try open()
        let holder = try Connection(path: folder.file().path, busyTimeout: 10_000)
        try holder.execute("INSERT INTO sqlite_sequence VALUES ('events', \(Numbering.highest - 5))")
        var journal: SQLiteEventJournal? = try open { $0.busyTimeout = 50 }
        var ids: [Int64] = []
        for number in 0..<20 { ids += try journal?.append([Data("\(number)".utf8)]) ?? [] }
        // They stay where they are.
        try holder.execute("BEGIN IMMEDIATE")
        journal = nil
        try holder.execute("ROLLBACK")
        journal = try open()
        #expect(try await journal?.events(after: 0, limit: 100).map(\.id) == ids)
        ids += try journal?.append([Data()]) ?? []
        #expect(ids == ids.sorted() && Set(ids).count == 21)
    }

    @Test func noIDIsGivenTwiceWhereOnlyRowsThatAreGoneHadIt() async throws {
        var given: Set<Int64> = []
        var last: Int64 = 0
        for round in 0..<20 {
            let journal = try open { $0.arrivals.idsAtOnce = 10 }
            for count in [1, 8, 3, 25, 10] {
                let ids = try journal.append((0..<count).map { _ in Data() })
                #expect(ids.first.map { $0 > last } == true && given.isDisjoint(with: ids), "\(round)")
                #expect(ids.last.map { Int($0) } == ids.first.map { Int($0) + count - 1 })
                given.formUnion(ids)
                last = ids.last ?? 0
                try await journal.remove(ids)
            }
        }
    }

    @Test func bytesOfAnyKindInTheFilesHarmNothing() async throws {
        for seed in 0..<60 {
            var random = SeededGenerator(seed: seed)
            var journal: SQLiteEventJournal? = try open()
            for _ in 0..<20 { _ = try journal?.append([Data(count: random.int(0...300)), Data()]) }
            let copies = try Self.arrivals.map { try Data(contentsOf: folder.file($0)) }
            journal = nil
            for (name, copy) in zip(Self.arrivals, copies) {
                var bytes = copy
                for _ in 0..<random.int(0...3) where !bytes.isEmpty {
                    bytes[random.int(0...bytes.count - 1)] = UInt8(random.int(0...255))
                }
                if random.happens(30) { bytes.append(Data(repeating: UInt8(random.int(0...255)), count: 50)) }
                try bytes.write(to: folder.file(name))
            }
            journal = try open()
            let before = try await journal?.events(after: 0, limit: 10_000) ?? []
            let ids = try journal?.append([Data("new".utf8)]) ?? []
            let events = try await journal?.events(after: 0, limit: 10_000) ?? []
            #expect(events.map(\.id) == before.map(\.id) + ids, "seed \(seed)")
            try await journal?.remove(events.map(\.id))
            #expect(try await journal?.events(after: 0, limit: 10).isEmpty == true, "seed \(seed)")
        }
    }
}
