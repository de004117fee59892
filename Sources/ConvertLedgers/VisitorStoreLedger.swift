import ConvertConcurrency
import ConvertECMAScript
public import ConvertSwiftSDKCore

/// A ledger over an app's own store of visitors, for apps that keep them in Redis, in DynamoDB or the like.
///
///     var configuration = SDKConfiguration()
///     configuration.ledger = VisitorStoreLedger(RedisStore(client))
///
/// **It is not crash consistent.** Visitors go to the store, undelivered events stay in memory. After a process was
/// killed, the store may have a decision or a goal whose event was never sent. Of two servers that count a goal of one
/// visitor at once, both report it. Where that matters use `SQLiteLedger` or `PostgresLedger`, or write a ``Ledger``.
///
/// The SDK makes up to 64 calls of ``VisitorStore/save(_:for:)`` at once, for different visitors.
public final class VisitorStoreLedger: Ledger {
    private let store: any VisitorStore
    private let events: MemoryLedger
    /// How many visitors are saved at once.
    private static let concurrency = 64

    /// A ledger.
    ///
    /// - Parameters:
    ///   - store: keeps the visitors.
    ///   - eventCapacity: how many undelivered events are kept in memory; 1 or more.
    public init(_ store: any VisitorStore, eventCapacity: Int = 10_000) {
        self.store = store
        events = MemoryLedger(visitorCapacity: 1, eventCapacity: eventCapacity)
    }

    /// `true`: other servers may use the store.
    public var isShared: Bool { true }

    /// Begins another owner.
    public func begin() async throws -> UInt32 { try await events.begin() }

    /// What is stored about a visitor.
    public func visitor(_ key: String) async throws -> VisitorState? {
        try events.checkIsOpen()
        return try await store.load(key)
    }

    /// Reads, merges and saves each visitor's record, several visitors at once. What is saved when it throws stays
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

    /// Stores the entries of one visitor, one after the other.
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

    /// The oldest undelivered events, in the order of their ids.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await events.undelivered(after: id, limit: limit)
    }

    /// Removes events.
    public func remove(_ ids: [EventID]) async throws { try await events.remove(ids) }

    /// Removes the visitor's undelivered events, and asks the store to forget the visitor.
    public func forget(_ key: String) async throws {
        try await events.forget(key)
        try await store.forget(key)
    }

    /// Forgets nothing, and lets later calls throw ``LedgerError/isClosed``.
    public func close() async { await events.close() }
}

extension LedgerSettlement {
    /// The changes of the entry, but for decisions in whose place others stay.
    fileprivate func changes(of entry: LedgerEntry) -> VisitorState {
        var changes = entry.changes.changes
        for decision in changes.bucketing ?? JSObject()
        where outcome.record.bucketing?[decision.key] != decision.value {
            changes.bucketing?[decision.key] = nil
        }
        return changes
    }
}
