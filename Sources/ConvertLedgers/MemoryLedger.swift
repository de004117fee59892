import ConvertConcurrency
import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ledger in memory, for tests and as an example. Its contents end with the process.
///
/// Several SDKs must not use one at the same time. All methods can be called from any task.
///
/// **Bounds.** Above the visitor capacity, the least recently used visitors are removed. Undelivered events are never
/// removed for space: if an entry's events do not fit, ``commit(_:)`` throws ``LedgerError/isFull``.
public final class MemoryLedger: Ledger {
    private struct State {
        var owner: UInt32 = 0
        var visitors: RecentlyUsed<VisitorState>
        /// Undelivered events, with the keys of their visitors.
        var events: [EventID: (event: StoredEvent, visitor: PropertyKey)] = [:]
        var isClosed = false

        mutating func store(_ entry: LedgerEntry) -> LedgerOutcome {
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

    private let eventCapacity: Int
    private let state: Mutex<State>

    /// Creates an empty ledger.
    ///
    /// - Parameters:
    ///   - visitorCapacity: the maximum number of visitors. Values below 1 become 1.
    ///   - eventCapacity: the maximum number of undelivered events. Values below 1 become 1.
    public init(visitorCapacity: Int = 10_000, eventCapacity: Int = 10_000) {
        self.eventCapacity = max(1, eventCapacity)
        state = Mutex(State(visitors: RecentlyUsed(capacity: visitorCapacity)))
    }

    /// Begins a new owner, and returns its number.
    public func begin() async throws -> UInt32 {
        try withState { state in
            state.owner += 1
            return state.owner
        }
    }

    /// The stored state of a visitor, or `nil`.
    public func visitor(_ key: String) async throws -> VisitorState? {
        try withState { $0.visitors.value(of: PropertyKey(key)) }
    }

    /// Stores all entries or none of them.
    ///
    /// - Throws: ``LedgerError/isFull`` if their events do not fit.
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

    /// - Throws: ``LedgerError/isClosed`` if the ledger was closed.
    func checkIsOpen() throws { try withState { _ in } }

    /// Whether the event with `id` is stored.
    func hasEvent(_ id: EventID) -> Bool { state.withLock { $0.events[id] != nil } }

    /// Stores events of a visitor without changes.
    func store(_ events: [LedgerEvent], of key: String) async throws {
        if events.isEmpty { return }
        let entry = LedgerEntry(
            visitor: key, events: events.map { LedgerEvent(id: $0.id, record: $0.record) })
        _ = try await commit([entry])
    }

    /// Up to `limit` undelivered events after the one with `id`, in the order of their ids; `nil` begins with the
    /// oldest. Sorts all events.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try withState { state in
            let ids = state.events.keys.filter { event in id.map { event > $0 } ?? true }
            let events = ids.sorted().prefix(max(0, limit)).compactMap { state.events[$0]?.event }
            events.checkOrder(after: id, limit: limit)
            return events
        }
    }

    /// Removes the events with these ids.
    public func remove(_ ids: [EventID]) async throws {
        try withState { state in for id in ids { state.events[id] = nil } }
    }

    /// Removes a visitor and the visitor's undelivered events.
    public func forget(_ key: String) async throws {
        let key = PropertyKey(key)
        try withState { state in
            state.visitors.remove(key)
            state.events = state.events.filter { $0.value.visitor != key }
        }
    }

    /// Closes the ledger. Later calls throw ``LedgerError/isClosed``.
    public func close() async { state.withLock { $0.isClosed = true } }

    private func withState<Result: Sendable>(_ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if state.isClosed { throw LedgerError.isClosed }
            return try body(&state)
        }
    }
}
