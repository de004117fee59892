import ConvertLedgers
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

struct MemoryLedgerTests {
    @Test(arguments: LedgerContract.inMemory) func aStoreLedgerMeetsTheContractOfLedgers(clause: LedgerContract)
        async throws
    {
        try await clause.check { MemoryLedger() }
    }

    @Test func anEntryWhoseEventsFindNoRoomIsRefusedWhole() async throws {
        let ledger = MemoryLedger(eventCapacity: 2)
        let owner = try await ledger.begin()
        let events = (1...3).map { LedgerEvent(id: EventID(owner: owner, number: $0), record: Data()) }
        _ = try await ledger.commit([LedgerEntry(visitor: "v", events: Array(events[..<2]))])
        await #expect(throws: LedgerError.isFull) {
            try await ledger.commit([LedgerEntry(visitor: "w", events: Array(events[2...]))])
        }
        try await ledger.remove([events[0].id])
        #expect(try await ledger.commit([LedgerEntry(visitor: "w", events: Array(events[2...]))]).count == 1)
    }
}
