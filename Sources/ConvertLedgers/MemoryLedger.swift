import ConvertConcurrency
import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ledger in memory. It ends with the process.
///
/// It is for tests, and an example of what a ledger does. Several SDKs must not use one at once.
///
/// **Bounds.** The visitors that were not used for longest leave it first. Undelivered events never do: once there is
/// no room for those of an entry, ``commit(_:)`` throws ``LedgerError/isFull``.
public final class MemoryLedger: Ledger {
    fileprivate struct State {
        var owner: UInt32 = 0
        var visitors: RecentlyUsed<VisitorState>
        /// Undelivered events, with the keys of their visitors.
        var events: [EventID: (event: StoredEvent, visitor: PropertyKey)] = [:]
        var isClosed = false
    }

    private let eventCapacity: Int
    private let state: Mutex<State>

    /// A ledger without anything.
    ///
    /// - Parameters:
    ///   - visitorCapacity: how many visitors it keeps, 1 or more.
    ///   - eventCapacity: how many undelivered events it keeps, 1 or more.
    public init(visitorCapacity: Int = 10_000, eventCapacity: Int = 10_000) {
        self.eventCapacity = max(1, eventCapacity)
        state = Mutex(State(visitors: RecentlyUsed(capacity: visitorCapacity)))
    }

    /// Begins another owner.
    public func begin() async throws -> UInt32 {
        try withState { state in
            state.owner += 1
            return state.owner
        }
    }

    /// What is stored about a visitor.
    public func visitor(_ key: String) async throws -> VisitorState? {
        try withState { $0.visitors.value(of: PropertyKey(key)) }
    }

    /// Stores entries, all of them or none.
    ///
    /// - Throws: ``LedgerError/isFull`` if there is no room for their events.
    public func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        try withState { state in
            let newCount = entries.reduce(0) { $0 + $1.events.count { state.events[$0.id] == nil } }
            guard state.events.count + newCount <= eventCapacity else { throw LedgerError.isFull }
            defer {
                Invariant.check(state.events.count <= eventCapacity, "the undelivered events have room")
            }
            return entries.map { state.store($0) }
        }
    }

    /// - Throws: ``LedgerError/isClosed`` if it was closed.
    func checkIsOpen() throws { try withState { _ in } }

    /// Whether there is an event with the id.
    func hasEvent(_ id: EventID) -> Bool { state.withLock { $0.events[id] != nil } }

    /// Stores events of a visitor alone.
    func store(_ events: [LedgerEvent], of key: String) async throws {
        if events.isEmpty { return }
        let entry = LedgerEntry(
            visitor: key, events: events.map { LedgerEvent(id: $0.id, record: $0.record) })
        _ = try await commit([entry])
    }

    /// The oldest undelivered events, in the order of their ids.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try withState { state in
            let ids = state.events.keys.filter { event in id.map { event > $0 } ?? true }
            let events = ids.sorted().prefix(max(0, limit)).compactMap { state.events[$0]?.event }
            events.checkOrder(after: id, limit: limit)
            return events
        }
    }

    /// Removes events.
    public func remove(_ ids: [EventID]) async throws {
        try withState { state in for id in ids { state.events[id] = nil } }
    }

    /// Removes a visitor, and the visitor's undelivered events.
    public func forget(_ key: String) async throws {
        let key = PropertyKey(key)
        try withState { state in
            state.visitors.remove(key)
            state.events = state.events.filter { $0.value.visitor != key }
        }
    }

    /// Lets later calls throw ``LedgerError/isClosed``.
    public func close() async { state.withLock { $0.isClosed = true } }

    private func withState<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if state.isClosed { throw LedgerError.isClosed }
            return try body(&state)
        }
    }
}

extension MemoryLedger.State {
    fileprivate mutating func store(_ entry: LedgerEntry) -> LedgerOutcome {
        let key = PropertyKey(entry.visitor)
        let settlement = entry.settled(over: visitors.value(of: key)) { events[$0] != nil }
        let record = settlement.outcome.record
        if !record.isEmpty { visitors.set(record, for: key) }
        for event in settlement.events {
            events[event.id] = (StoredEvent(id: event.id, record: event.record), key)
        }
        return settlement.outcome
    }
}
