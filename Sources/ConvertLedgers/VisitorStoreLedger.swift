import ConvertECMAScript
public import ConvertSwiftSDKCore

/// A ledger on top of an app's own store of visitors, such as Redis or DynamoDB.
///
///     var configuration = SDKConfiguration()
///     configuration.ledger = VisitorStoreLedger(RedisStore(client))
///
/// **This ledger is not crash-consistent.** The store keeps visitors; undelivered events stay in memory. After a
/// process was killed, the store may have a decision or a goal whose event was never sent. If two servers count a goal
/// of one visitor at the same time, both report it. If that matters, use `SQLiteLedger` or `PostgresLedger`, or
/// implement ``Ledger``.
///
/// The SDK makes up to 64 calls of ``VisitorStore/save(_:for:)`` at once, for different visitors.
public final class VisitorStoreLedger: Ledger {
    private let store: any VisitorStore
    private let events: MemoryLedger
    /// The maximum number of visitors that are saved at the same time.
    private static let concurrency = 64

    /// Creates a ledger.
    ///
    /// - Parameters:
    ///   - store: keeps the visitors.
    ///   - eventCapacity: the maximum number of undelivered events in memory. Values below 1 become 1.
    public init(_ store: any VisitorStore, eventCapacity: Int = 10_000) {
        self.store = store
        events = MemoryLedger(visitorCapacity: 1, eventCapacity: eventCapacity)
    }

    /// Always `true`: other servers may use the store.
    public var isShared: Bool { true }

    /// Begins a new owner, and returns its number.
    public func begin() async throws -> UInt32 { try await events.begin() }

    /// The state that the store has of a visitor, or `nil`.
    public func visitor(_ key: String) async throws -> VisitorState? {
        try events.checkIsOpen()
        return try await store.load(key)
    }

    /// Reads, merges and saves each visitor's record, several visitors at once. If it throws, some records may be
    /// saved.
    public func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        try events.checkIsOpen()
        var places: [PropertyKey: [Int]] = [:]
        for (place, entry) in entries.enumerated() { places[PropertyKey(entry.visitor), default: []].append(place) }
        var outcomes = [LedgerOutcome?](repeating: nil, count: entries.count)
        try await withThrowingTaskGroup(of: [(Int, LedgerOutcome)].self) { group in
            var rest = Array(places.values)[...]
            for _ in 0..<Self.concurrency {
                guard let own = rest.popFirst() else { break }
                group.addTask { try await self.commit(own, of: entries) }
            }
            while let done = try await group.next() {
                for (place, outcome) in done { outcomes[place] = outcome }
                if let own = rest.popFirst() { group.addTask { try await self.commit(own, of: entries) } }
            }
        }
        return outcomes.compactMap(\.self)
    }

    /// Stores the entries of one visitor in order.
    private func commit(_ places: [Int], of entries: [LedgerEntry]) async throws -> [(Int, LedgerOutcome)] {
        guard let key = places.first.map({ entries[$0].visitor }) else { return [] }
        var record = try await store.load(key)
        var outcomes: [(Int, LedgerOutcome)] = []
        for place in places {
            let entry = entries[place]
            let settlement = entry.settled(over: record) { events.hasEvent($0) }
            try await events.store(settlement.events, of: key)
            let changes = settlement.changes(of: entry)
            if !changes.isEmpty { try await store.save(changes, for: key) }
            record = settlement.outcome.record
            outcomes.append((place, settlement.outcome))
        }
        return outcomes
    }

    /// Up to `limit` undelivered events after the one with `id`, in the order of their ids; `nil` begins with the
    /// oldest.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await events.undelivered(after: id, limit: limit)
    }

    /// Removes the events with these ids.
    public func remove(_ ids: [EventID]) async throws { try await events.remove(ids) }

    /// Removes the visitor's undelivered events, and deletes the visitor in the store.
    public func forget(_ key: String) async throws {
        try await events.forget(key)
        try await store.forget(key)
    }

    /// Closes the ledger; the store stays as it is. Later calls throw ``LedgerError/isClosed``.
    public func close() async { await events.close() }
}

extension LedgerSettlement {
    /// The changes of the entry, except decisions for which another decision is stored.
    fileprivate func changes(of entry: LedgerEntry) -> VisitorState {
        var changes = entry.changes.changes
        for decision in changes.bucketing ?? JSObject()
        where outcome.record.bucketing?[decision.key] != decision.value {
            changes.bucketing?[decision.key] = nil
        }
        return changes
    }
}
