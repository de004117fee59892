import ConvertECMAScript
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// Ledgers whose file was damaged, and ledgers without room.
@Suite(.timeLimit(.minutes(10)))
struct DamagedLedgerTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file().path }

    /// Whatever a damage does, the ledger works after it, or says that the file is another program's or a later
    /// version's.
    @Test func aDamagedFileNeverStopsALedger() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit((1...500).map { user.entry($0) })
        await ledger.close()
        let intact = try Data(contentsOf: folder.file())
        var random = SeededGenerator(seed: 39)
        var setAsideCount = 0
        // The first places are those of the file's header.
        let headers = inputSize(100, plain: 40)
        for round in 0..<caseCount(150, plain: 60) {
            let folder = try TemporaryFolder()
            let reports = Reports()
            var damaged = intact
            let place = round < headers ? round * 100 / headers : random.int(0...intact.count - 1)
            for offset in 0..<random.pick([1, 1, 16, 4096]) where place + offset < damaged.count {
                damaged[place + offset] = UInt8(random.int(0...255))
            }
            try damaged.write(to: folder.file())
            let ledger: SQLiteLedger
            do {
                ledger = try SQLiteLedger(file: folder.file(), report: reports.collect)
            } catch let error as StorageError {
                #expect([.foreignDatabase, .newerVersion, .readOnly].contains(error.code), "round \(round): \(error)")
                continue
            }
            // Each call may meet another damage.
            var isStored = false
            for _ in 0..<10 where !isStored {
                guard let owner = try? await ledger.begin() else { continue }
                let user = LedgerUser(owner: owner)
                let outcomes = try? await ledger.commit([user.entry(1000), user.entry(1001)])
                for number in stride(from: 1, to: 500, by: 7) as StrideTo<UInt32> {
                    _ = try? await ledger.visitor("v\(number)")
                }
                let events = try? await ledger.undelivered(after: nil, limit: 1000)
                let state = try? await ledger.visitor("v1000")
                isStored = outcomes != nil && events != nil && state != nil
            }
            #expect(isStored, "round \(round)")
            if reports.all.contains(where: { if case .corruptDatabaseSetAside = $0 { true } else { false } }) {
                setAsideCount += 1
                #expect(folder.names.contains("store.sqlite.corrupt-1"), "round \(round)")
            }
            await ledger.close()
        }
        #expect(setAsideCount > 20)
    }

    @Test func aFileThatIsNoDatabaseIsSetAside() async throws {
        let garbage = Data("garbage, long enough to be looked at by a database".utf8)
        try garbage.write(to: folder.file())
        let ledger = try SQLiteLedger(file: folder.file(), report: reports.collect)
        #expect(reports.all == [.corruptDatabaseSetAside(path: path, movedTo: path + ".corrupt-1")])
        #expect(try Data(contentsOf: folder.file("store.sqlite.corrupt-1")) == garbage)
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit([user.entry(1)])
        try await user.expect([1], in: ledger)
        await ledger.close()
    }

    @Test func aMissingTableIsADamage() async throws {
        await (try SQLiteLedger(file: folder.file())).close()
        do { try Connection(path: path, busyTimeout: 0).execute("DROP TABLE events") }
        let ledger = try SQLiteLedger(file: folder.file(), report: reports.collect)
        let user = LedgerUser(owner: try await ledger.begin())
        await #expect(throws: StorageError.self) { try await ledger.commit([user.entry(1)]) }
        _ = try await ledger.commit([user.entry(1)])
        try await user.expect([1], in: ledger)
        #expect(reports.all == [.corruptDatabaseSetAside(path: path, movedTo: path + ".corrupt-1")])
        await ledger.close()
    }

    @Test func aFullLedgerStoresNothingOfACallAndGoesOnWhenThereIsRoom() async throws {
        var options = LedgerFile.Options()
        options.maximumPageCount = 40
        let ledger = try SQLiteLedger(file: folder.file(), options: options, report: reports.collect)
        let user = LedgerUser(owner: try await ledger.begin())
        var count: UInt32 = 0
        while count < 10_000 {
            do {
                _ = try await ledger.commit([user.entry(count + 1), user.entry(count + 2), user.entry(count + 3)])
                count += 3
            } catch let error as StorageError {
                #expect(error.code == .full)
                break
            }
        }
        #expect((100..<10_000).contains(count))
        try await user.expect(1...count, in: ledger)
        try await ledger.remove((1...count).map { user.id($0) })
        _ = try await ledger.commit([user.entry(count + 1)])
        try await user.expect(count + 1...count + 1, in: ledger)
        await ledger.close()
        #expect(reports.all.isEmpty)
    }

    /// As `ulimit -f` does.
    @Test(arguments: [400_000, 1_000_000])
    func aLedgerWhoseFilesMayNotGrowKeepsWhatItStored(limit: Int) async throws {
        let lines = try await Probe("ledger-fill", path, String(limit)).wholeOutput().split(separator: "\n")
        try #require(lines.count == 2, "\(lines)")
        let counts = lines[0].split(separator: " ").compactMap { UInt32($0) }
        #expect(counts[0] > 5 && counts[0] < 2000 && counts[1] == 2 * counts[0])
        #expect(UInt32(lines[1]).map { $0 > 0 } == true, "it stores again once there is room")
        let ledger = try SQLiteLedger(file: folder.file(), report: reports.collect)
        for number in 1...counts[0] {
            let visitor = number % 3 == 0 ? "shared-\(number % 5)" : "own-1-\(number)"
            let state = try await ledger.visitor(visitor)
            #expect(state?.goals?[PropertyKey("g-1-\(number)")] == true)
        }
        await ledger.close()
        #expect(reports.all.isEmpty)
    }
}
