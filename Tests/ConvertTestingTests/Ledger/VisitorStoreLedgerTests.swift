import ConvertECMAScript
import ConvertLedgers
import ConvertConcurrency
import ConvertSwiftSDK
import ConvertTestSupport
import ConvertTesting
import Testing

/// A ledger over an app's own store of visitors.
struct VisitorStoreLedgerTests {
    /// A dictionary whose first save waits until a test ends it, or that fails.
    private final class Store: VisitorStore {
        private struct State {
            var records: [String: VisitorState] = [:]
            var saving: Set<String> = []
            var isTwiceAtOnce = false
            var most = 0
        }

        let gate = Latch()
        let isFailing = Atomic(false)
        private let state = Mutex(State())

        /// Whether two saves of one visitor ran at once.
        var isTwiceAtOnce: Bool { state.withLock { $0.isTwiceAtOnce } }

        /// The most saves at once.
        var most: Int { state.withLock { $0.most } }

        func load(_ key: String) async throws -> VisitorState? { state.withLock { $0.records[key] } }

        func save(_ changes: VisitorState, for key: String) async throws {
            state.withLock { state in
                if !state.saving.insert(key).inserted { state.isTwiceAtOnce = true }
                state.most = max(state.most, state.saving.count)
            }
            _ = await gate.wait()
            try state.withLock { state in
                state.saving.remove(key)
                if isFailing.load(ordering: .relaxed) && key == "v0" { throw Failure() }
                state.records[key] = (state.records[key] ?? VisitorState()).merging(changes)
            }
        }

        func forget(_ key: String) async throws { state.withLock { $0.records[key] = nil } }
    }

    private struct Failure: Error {}

    /// A dictionary's keys are as Swift's texts; the clause of bytes is for the store to keep.
    private static let clauses = LedgerContract.inMemory.filter { $0 != .keysAreBytes }

    @Test(arguments: clauses) func aStoreLedgerMeetsTheContractOfLedgers(clause: LedgerContract) async throws {
        let store = Store()
        store.gate.open()
        try await clause.check { VisitorStoreLedger(store) }
    }

    private func entry(_ visitor: String, goal: String) throws -> LedgerEntry {
        var changes = VisitorState()
        changes.apply(.goal(PropertyKey(goal)))
        return LedgerEntry(visitor: visitor, changes: VisitorChanges(changes))
    }

    @Test func aVisitorIsSavedByOneCallAtATimeAndSeveralVisitorsAtOnce() async throws {
        let store = Store()
        let ledger = VisitorStoreLedger(store)
        let entries = try (0..<200).map { try entry("v\($0 % 100)", goal: "\($0)") }
        async let outcomes = ledger.commit(entries)
        #expect(await eventually { store.most == 64 })
        store.gate.open()
        #expect(try await outcomes.map { $0.record.goals?.count } == (0..<200).map { $0 < 100 ? 1 : 2 })
        #expect(store.most == 64 && !store.isTwiceAtOnce)
    }

    @Test func aVisitorWhoCannotBeSavedIsOfferedAgain() async throws {
        let store = Store()
        store.gate.open()
        store.isFailing.store(true, ordering: .relaxed)
        let ledger = VisitorStoreLedger(store)
        let entries = try (0..<3).map { try entry("v\($0)", goal: "g") }
        await #expect(throws: Failure.self) { try await ledger.commit(entries) }
        store.isFailing.store(false, ordering: .relaxed)
        #expect(try await ledger.commit(entries).count == 3)
        for number in 0..<3 { #expect(try await ledger.visitor("v\(number)")?.goals?.count == 1) }
    }
}
