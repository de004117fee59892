import ConvertLedgers
import ConvertECMAScript
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Makes the entries of a ledger's owner for tests, and looks for them.
struct LedgerUser {
    let owner: UInt32

    /// An entry with a goal and an event, of a visitor of its own.
    func entry(_ number: UInt32) -> LedgerEntry {
        var changes = VisitorState()
        changes.apply(.goal(PropertyKey("g\(number)")))
        return LedgerEntry(
            visitor: "v\(number)", changes: VisitorChanges(changes),
            events: [LedgerEvent(id: id(number), record: Data("event \(number)".utf8), reporting: .goal("g\(number)"))])
    }

    func id(_ number: UInt32) -> EventID { EventID(owner: owner, number: number) }

    /// Expects that all entries with these numbers are stored whole, and that there are no other events.
    func expect(
        _ numbers: some Sequence<UInt32>, in ledger: SQLiteLedger, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let events = try await ledger.undelivered(after: nil, limit: 100_000)
        let entries = numbers.map { entry($0) }
        #expect(
            events == entries.flatMap(\.events).map { StoredEvent(id: $0.id, record: $0.record) },
            sourceLocation: sourceLocation)
        for entry in entries {
            #expect(
                try await ledger.visitor(entry.visitor) == entry.changes.changes, sourceLocation: sourceLocation)
        }
    }
}
