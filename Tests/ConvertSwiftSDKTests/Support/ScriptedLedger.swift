import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

@testable import ConvertSwiftSDK

/// One process's way to a ledger in memory, which outlives the process. It fails, waits and loses answers on command.
///
/// Several of them on one ``disk`` are processes that follow each other, or with `isShared` machines of a fleet.
final class ScriptedLedger: Ledger {
    enum Operation: Sendable, Hashable, CaseIterable {
        case begin, visitor, commit, undelivered, remove, forget, takeOver, owned
    }

    private struct State {
        var owners: [UInt32] = []
        var failures: [Operation: any Error] = [:]
        /// What calls wait for before they do anything, and before they return.
        var gates: [Operation: Latch] = [:]
        var answerGates: [Operation: Latch] = [:]
        var begun: [Operation: Int] = [:]
        var done: [Operation: Int] = [:]
        var losesAnswers = false
        var isOwnerEnded = false
        var offers: [[LedgerEntry]] = []
        /// Those whose events are to be taken over.
        var ended: [ScriptedLedger] = []
        /// Events that this ledger took over, and its events that others took over.
        var adopted: Set<EventID> = []
        var lost: Set<EventID> = []
        var closeCount = 0
        var callsAfterClose = 0
    }

    let disk: MemoryLedger
    let isShared: Bool
    let takeoverInterval: Duration?
    private let state = Mutex(State())

    init(_ disk: MemoryLedger = MemoryLedger(), isShared: Bool = false, takeoverInterval: Duration? = nil) {
        self.disk = disk
        self.isShared = isShared
        self.takeoverInterval = takeoverInterval
    }

    // MARK: What is commanded

    /// Makes later calls throw; `nil` lets them succeed.
    func fail(_ operations: [Operation] = Operation.allCases, with error: (any Error)? = Failure()) {
        state.withLock { state in for operation in operations { state.failures[operation] = error } }
    }

    func heal() { fail(with: nil) }

    /// Makes later calls wait for the latch before they do anything, deaf to cancellation.
    func hold(_ operation: Operation) -> Latch {
        let gate = Latch()
        state.withLock { $0.gates[operation] = gate }
        return gate
    }

    /// Makes later calls wait for the latch after they have done what they do.
    func holdAnswers(of operation: Operation) -> Latch {
        let gate = Latch()
        state.withLock { $0.answerGates[operation] = gate }
        return gate
    }

    /// Whether commits store what they are given, and fail then.
    var losesAnswers: Bool {
        get { state.withLock { $0.losesAnswers } }
        set { state.withLock { $0.losesAnswers = newValue } }
    }

    /// Ends the owner as if another process had taken over.
    func endOwner() { state.withLock { $0.isOwnerEnded = true } }

    /// Lets the events of `other`'s owner be taken over.
    func inherit(from other: ScriptedLedger) { state.withLock { $0.ended.append(other) } }

    // MARK: What happened

    var owner: UInt32 { state.withLock { $0.owners.last ?? 0 } }

    /// Number of calls.
    func count(_ operation: Operation) -> Int { state.withLock { $0.begun[operation] ?? 0 } }

    /// Number of calls that have done what they do.
    func doneCount(_ operation: Operation) -> Int { state.withLock { $0.done[operation] ?? 0 } }

    var closeCount: Int { state.withLock { $0.closeCount } }

    var callsAfterClose: Int { state.withLock { $0.callsAfterClose } }

    /// What was offered, call by call, whatever came of it.
    var offers: [[LedgerEntry]] { state.withLock { $0.offers } }

    /// The visitors of all entries that were offered, in order.
    var offeredVisitors: [String] { offers.joined().map { String($0.visitor.dropFirst("10-20-".count)) } }

    // MARK: A ledger

    func begin() async throws -> UInt32 {
        try await run(.begin) {
            let owner = try await disk.begin()
            state.withLock { state in
                state.owners.append(owner)
                state.isOwnerEnded = false
            }
            return owner
        }
    }

    func visitor(_ key: String) async throws -> VisitorState? {
        try await run(.visitor) { try await disk.visitor(key) }
    }

    func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        state.withLock { $0.offers.append(entries) }
        return try await run(.commit) {
            if state.withLock({ $0.isOwnerEnded }) { throw LedgerError.ownerHasEnded }
            let outcomes = try await disk.commit(entries)
            if losesAnswers { throw Failure() }
            return outcomes
        }
    }

    func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await run(.undelivered) {
            if !isShared { return try await disk.undelivered(after: id, limit: limit) }
            let all = try await disk.undelivered(after: id, limit: .max)
            return Array(all.filter { owns($0.id) }.prefix(limit))
        }
    }

    func takeOver(_ limit: Int) async throws -> [StoredEvent] {
        try await run(.takeOver) {
            let all = try await disk.undelivered(after: nil, limit: .max)
            var found: [StoredEvent] = []
            for other in state.withLock({ $0.ended }) {
                let events = all.filter { other.owns($0.id) }.prefix(limit - found.count)
                found += events
                other.state.withLock { $0.lost.formUnion(events.map(\.id)) }
            }
            state.withLock { $0.adopted.formUnion(found.map(\.id)) }
            return found
        }
    }

    func owned(_ ids: [EventID]) async throws -> [EventID] {
        try await run(.owned) { isShared ? ids.filter { owns($0) } : ids }
    }

    private func owns(_ id: EventID) -> Bool {
        state.withLock { state in
            (state.owners.contains(id.owner) || state.adopted.contains(id)) && !state.lost.contains(id)
        }
    }

    func remove(_ ids: [EventID]) async throws { try await run(.remove) { try await disk.remove(ids) } }

    func forget(_ key: String) async throws { try await run(.forget) { try await disk.forget(key) } }

    func close() async { state.withLock { $0.closeCount += 1 } }

    private func run<Value: Sendable>(
        _ operation: Operation, _ body: () async throws -> Value
    ) async throws -> Value {
        let gate = state.withLock { state in
            state.begun[operation, default: 0] += 1
            if state.closeCount > 0 { state.callsAfterClose += 1 }
            return state.gates[operation]
        }
        await Self.pass(gate)
        try failIfAsked(operation)
        let value = try await body()
        let answerGate = state.withLock { state in
            state.done[operation, default: 0] += 1
            return state.answerGates[operation]
        }
        if let answerGate {
            await Self.pass(answerGate)
            try failIfAsked(operation)
        }
        return value
    }

    private func failIfAsked(_ operation: Operation) throws {
        if let failure = state.withLock({ $0.failures[operation] }) { throw failure }
    }

    private static func pass(_ gate: Latch?) async {
        guard let gate, !gate.isOpen else { return }
        _ = await Task.detached { await gate.wait() }.value
    }
}

extension MemoryLedger {
    /// What is stored of a visitor of the fixture's project.
    func record(_ visitorID: String) async throws -> VisitorState? { try await visitor("10-20-\(visitorID)") }

    /// Stores a record of a visitor of the fixture's project, as another process does.
    func put(_ json: String, of visitorID: String) async throws {
        let key = "10-20-\(visitorID)"
        try await forget(key)
        _ = try await commit([
            LedgerEntry(visitor: key, changes: VisitorChanges(try VisitorState(json: Data(json.utf8))))
        ])
    }

    /// Stores events of an earlier owner.
    func put(_ records: [Data], of owner: UInt32 = 0) async throws {
        let events = records.enumerated().map { index, record in
            LedgerEvent(id: EventID(owner: owner, number: UInt32(1 + index)), record: record)
        }
        _ = try await commit([LedgerEntry(visitor: "earlier", events: events)])
    }

    /// All undelivered events.
    var events: [StoredEvent] {
        get async throws { try await undelivered(after: nil, limit: .max) }
    }

    var eventCount: Int {
        get async { (try? await events.count) ?? -1 }
    }
}
