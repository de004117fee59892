import ConvertLedgers
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation
import Testing

/// A ledger's file has one owner.
@Suite(.timeLimit(.minutes(10)))
struct LedgerOwnerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var inUse: StorageError { StorageError(.inUse, path: folder.file().path) }

    private func removeLock() throws { try FileManager.default.removeItem(at: folder.file("store.sqlite.owner")) }

    @Test func aSecondLedgerInTheProcessIsRefused() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        #expect(throws: inUse) { try SQLiteLedger(file: folder.file()) }
        await ledger.close()
        await #expect(throws: LedgerError.isClosed) { try await ledger.begin() }
    }

    @Test func aSecondProcessIsRefused() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        #expect(try await Probe("ledger-own", folder.file().path).wholeOutput() == "inUse")
        await ledger.close()
        let probe = try Probe("ledger-own", folder.file().path)
        #expect(await probe.lines(1) == ["owned"])
        #expect(throws: inUse) { try SQLiteLedger(file: folder.file()) }
        probe.finish()
        await (try SQLiteLedger(file: folder.file())).close()
    }

    @Test func aClosedLedgerMayBeOpenedAgainAtOnce() async throws {
        for number in 1...100 as ClosedRange<UInt32> {
            let ledger = try SQLiteLedger(file: folder.file())
            _ = try await ledger.commit([LedgerUser(owner: try await ledger.begin()).entry(number)])
            async let reading = try? ledger.visitor("v1")
            await ledger.close()
            _ = await reading
        }
        let ledger = try SQLiteLedger(file: folder.file())
        #expect(try await ledger.undelivered(after: nil, limit: 1000).count == 100)
        await ledger.close()
    }

    @Test func aDeletedLockIsTakenAnew() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        let user = LedgerUser(owner: try await ledger.begin())
        try removeLock()
        _ = try await ledger.commit([user.entry(1)])
        #expect(throws: inUse) { try SQLiteLedger(file: folder.file()) }
        try await user.expect([1], in: ledger)
        await ledger.close()
    }

    @Test func anOwnerThatLostItsLockTakesNothingFromTheNextOne() async throws {
        let first = try SQLiteLedger(file: folder.file())
        let firstUser = LedgerUser(owner: try await first.begin())
        _ = try await first.commit([firstUser.entry(1)])
        try removeLock()
        let second = try SQLiteLedger(file: folder.file())
        let user = LedgerUser(owner: try await second.begin())
        _ = try await second.commit([user.entry(2)])
        await #expect(throws: inUse) { try await first.commit([firstUser.entry(3)]) }
        await first.close()
        _ = try await second.commit([user.entry(4)])
        await second.close()

        let third = try SQLiteLedger(file: folder.file())
        let events = try await third.undelivered(after: nil, limit: 10)
        #expect(events.map(\.id) == [firstUser.id(1), user.id(2), user.id(4)])
        await third.close()
    }

    @Test func anOwnerThatLostItsLockToOneThatHasEndedBeginsAnew() async throws {
        let first = try SQLiteLedger(file: folder.file())
        let firstUser = LedgerUser(owner: try await first.begin())
        try removeLock()
        let second = try SQLiteLedger(file: folder.file())
        let secondOwner = try await second.begin()
        _ = try await second.commit([LedgerUser(owner: secondOwner).entry(2)])
        await second.close()
        await #expect(throws: LedgerError.ownerHasEnded) { try await first.commit([firstUser.entry(3)]) }
        #expect(try await first.begin() > secondOwner)
        _ = try await first.commit([firstUser.entry(3)])
        #expect(try await first.undelivered(after: nil, limit: 10).count == 2)
        await first.close()
    }
}
