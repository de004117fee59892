import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One owner that uses a ledger, for the cases of ``LedgerContract``.
struct LedgerUse: Sendable {
    let ledger: any Ledger
    let owner: UInt32

    init(_ ledger: any Ledger, owner: UInt32) {
        self.ledger = ledger
        self.owner = owner
    }

    func events(_ numbers: ClosedRange<UInt32>, reporting fact: LedgerEvent.Fact? = nil) -> [LedgerEvent] {
        numbers.map { number in
            LedgerEvent(
                id: EventID(owner: owner, number: number), record: Data("event \(number)".utf8), reporting: fact)
        }
    }

    /// Creates an entry that stores decisions, goals and segments.
    func entry(
        _ visitor: String, decisions: JSObject = JSObject(), replacing replaced: JSObject = JSObject(),
        goals: [String] = [], segments: JSObject? = nil, events: [LedgerEvent] = []
    ) -> LedgerEntry {
        var changes = VisitorState()
        for member in decisions { changes.apply(.bucketing(experienceID: member.key, variationID: member.value)) }
        for goal in goals { changes.apply(.goal(PropertyKey(goal))) }
        if let segments { changes.apply(.segments(segments)) }
        return LedgerEntry(visitor: visitor, changes: VisitorChanges(changes, replaced: replaced), events: events)
    }

    func expect(_ visitor: String, _ json: String?) async throws {
        let found = try await ledger.visitor(visitor)
        let expected = try json.map { try VisitorState(json: Data($0.utf8)) }
        if found == expected { return }
        throw LedgerContractFailure(
            description: "the record of '\(visitor)': expected \(json ?? "none"), found "
                + (found.map { ECMAScript.jsonText(of: .object($0.json)) } ?? "none"))
    }

    func expectEvents(_ events: [LedgerEvent]) async throws {
        let found = try await ledger.undelivered(after: nil, limit: 10_000)
        try ConvertTesting.expect(
            found, equals: events.map { StoredEvent(id: $0.id, record: $0.record) }, "the undelivered events")
    }

    func commit(_ entry: LedgerEntry, expecting outcome: LedgerOutcome, _ what: String) async throws {
        try ConvertTesting.expect(try await ledger.commit([entry]), equals: [outcome], what)
    }

    func outcome(_ json: String, unreported: [LedgerEvent] = []) throws -> LedgerOutcome {
        LedgerOutcome(record: try state(json), unreported: unreported.map(\.id))
    }

    func state(_ json: String) throws -> VisitorState { try VisitorState(json: Data(json.utf8)) }
}
