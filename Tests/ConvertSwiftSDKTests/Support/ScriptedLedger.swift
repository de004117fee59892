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
        case begin, visitor, commit, undelivered, remove, forget, takeOver, confirm
    }

    private struct State {
        var owner: UInt32 = 0
        var failures: [Operation: any Error] = [:]
        /// What calls wait for before they do anything, and before they return.
        var gates: [Operation: Latch] = [:]
        var answerGates: [Operation: Latch] = [:]
        var begun: [Operation: Int] = [:]
        var done: [Operation: Int] = [:]
        var losesAnswers = false
        var isOwnerEnded = false
        var offers: [[LedgerEntry]] = []
        /// Owners that have ended, and the events of theirs that were taken over.
        var endedOwners: Set<UInt32> = []
        var adopted: Set<EventID> = []
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
    func inherit(from other: ScriptedLedger) {
        let owner = other.owner
        state.withLock { _ = $0.endedOwners.insert(owner) }
    }

    // MARK: What happened

    var owner: UInt32 { state.withLock { $0.owner } }

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
            state.withLock { ($0.owner, $0.isOwnerEnded) = (owner, false) }
            return owner
        }
    }

    func visitor(_ key: String) async throws -> VisitorState? {
        try await run(.visitor) { try await disk.visitor(key) }
    }

    func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        state.withLock { $0.offers.append(entries) }
        return try await run(.commit) {
            try checkOwner()
            let outcomes = try await disk.commit(entries)
            if losesAnswers { throw Failure() }
            return outcomes
        }
    }

    func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await run(.undelivered) {
            if !isShared { return try await disk.undelivered(after: id, limit: limit) }
            let all = try await disk.undelivered(after: id, limit: .max)
            let own = state.withLock { state in
                all.filter { $0.id.owner == state.owner || state.adopted.contains($0.id) }
            }
            return Array(own.prefix(limit))
        }
    }

    func takeOver(_ limit: Int) async throws -> [StoredEvent] {
        try await run(.takeOver) {
            let all = try await disk.undelivered(after: nil, limit: .max)
            return state.withLock { state in
                let found = all.filter {
                    state.endedOwners.contains($0.id.owner) && !state.adopted.contains($0.id)
                }
                state.adopted.formUnion(found.prefix(limit).map(\.id))
                return Array(found.prefix(limit))
            }
        }
    }

    func confirmOwner() async throws { try await run(.confirm) { try checkOwner() } }

    func remove(_ ids: [EventID]) async throws { try await run(.remove) { try await disk.remove(ids) } }

    func forget(_ key: String) async throws { try await run(.forget) { try await disk.forget(key) } }

    func close() async { state.withLock { $0.closeCount += 1 } }

    private func checkOwner() throws {
        if state.withLock({ $0.isOwnerEnded }) { throw LedgerError.ownerHasEnded }
    }

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
