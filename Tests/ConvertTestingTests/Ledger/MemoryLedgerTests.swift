import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

@Suite("A ledger in memory")
struct MemoryLedgerTests {
    @Test("keeps the promises of all ledgers", arguments: LedgerContract.inMemory)
    func keepsItsPromises(clause: LedgerContract) async throws {
        try await clause.check { MemoryLedger() }
    }

    @Test("takes no entry whose events find no room, and nothing of it")
    func isBounded() async throws {
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
