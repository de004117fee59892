import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestSupport
import ConvertTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SQLiteLedgerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: LedgerContract.allCases)
    func keepsThePromisesOfAllLedgers(clause: LedgerContract) async throws {
        try await clause.check { [folder] in try SQLiteLedger(file: folder.file()) }
    }

    @Test(arguments: [LedgerContract.isCompleteAfterARestart, .answersAsTheLedgerInMemory])
    func keepsThemWhereCommitsWaitForTheDisk(clause: LedgerContract) async throws {
        try await clause.check { [folder] in try SQLiteLedger(file: folder.file(), durability: .powerFailure) }
    }

    @Test func closingLeavesTheDatabaseAlone() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        _ = try await ledger.commit([LedgerUser(owner: try await ledger.begin()).entry(1)])
        #expect(folder.names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal", "store.sqlite.owner"])
        await ledger.close()
        #expect(folder.names == ["store.sqlite", "store.sqlite.owner"])
    }

    @Test func aLedgerThatIsReleasedGivesItsFileBack() async throws {
        for number in 1...3 as ClosedRange<UInt32> {
            let opened = await eventually { (try? SQLiteLedger(file: folder.file())) != nil }
            #expect(opened)
            try await use { ledger in
                let user = LedgerUser(owner: try await ledger.begin())
                _ = try await ledger.commit([user.entry(number)])
            }
        }
        try await use { ledger in
            let events = try await ledger.undelivered(after: nil, limit: 10)
            #expect(events.count == 3)
        }
    }

    /// Passes a ledger to `body`, and lets it go without closing it.
    private func use(_ body: (SQLiteLedger) async throws -> Void) async throws {
        var ledger: SQLiteLedger?
        _ = await eventually {
            ledger = try? SQLiteLedger(file: folder.file())
            return ledger != nil
        }
        try await body(#require(ledger))
    }
}
