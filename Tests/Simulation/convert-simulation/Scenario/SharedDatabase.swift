import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport

/// A stand-in for the database that the servers of a fleet share, at the contract of `Ledger`.
///
/// What it has committed stays. It is slow, cannot be reached, loses answers, and fails over: then nothing that was
/// under way is answered.
final class SharedDatabase: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.

    /// How the database fares.
    enum Health: String, CaseIterable {
        case well
        /// Some calls fail before or after they did something.
        case flaky
        /// Calls are answered after seconds.
        case slow
        /// Nothing is answered.
        case down
        /// Calls wait.
        case stalled
    }

    struct Unreachable: Error {}

    fileprivate struct Event {
        let stored: StoredEvent
        let visitor: String
        var owner: UInt32
        /// Whether the owner took it over.
        var isTaken = false
    }

    fileprivate struct Lease {
        var end: Int64
        /// Whether others have begun to take over what the owner has.
        var isOver = false
    }

    private static let second: Int64 = 1_000_000_000
    /// How long an owner lives after its last sign of life.
    fileprivate static let leaseTime = 6 * second

    /// When it was not well for the last time; `nil` if it always was.
    private(set) var lastTrouble: Int64?
    var health = Health.well {
        didSet {
            if oldValue != .well || health != .well { lastTrouble = World.current.time }
            // Owners that could not renew their leases get the time to do so.
            if oldValue != .well, health == .well {
                let end = World.current.time + Self.leaseTime
                for (owner, lease) in leases where !lease.isOver && lease.end > 0 {
                    leases[owner]?.end = max(lease.end, end)
                }
            }
            if health == .stalled { return }
            let waiting = waiting
            self.waiting = []
            for body in waiting { body() }
        }
    }
    private let history: History
    private var generator: SeededGenerator
    fileprivate var visitors: [String: VisitorState] = [:]
    fileprivate var events: [EventID: Event] = [:]
    fileprivate var leases: [UInt32: Lease] = [:]
    fileprivate var lastOwner: UInt32 = 0
    /// What waits for the end of a stall.
    private var waiting: [() -> Void] = []

    init(history: History, seed: Int) {
        self.history = history
        generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 19 &+ 7)
    }

    var eventCount: Int { events.count }

    /// Does `body` some time later, and answers the process later still, if at all.
    fileprivate func perform<Value: Sendable>(
        for process: Int, _ body: @escaping () throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            receive(from: process, body) { continuation.resume(with: $0) }
        }
    }

    private func receive<Value>(
        from process: Int, _ body: @escaping () throws -> Value, _ answer: @escaping (Result<Value, any Error>) -> Void
    ) {
        let world = World.current
        func later(_ slowest: Int = 3_000_000) -> Int64 { world.time + Int64(generator.int(100_000...slowest)) }
        func fail() { world.at(later(), as: process) { answer(.failure(Unreachable())) } }
        switch health {
        case .down: return fail()
        case .flaky where generator.happens(25): return fail()
        case .stalled:
            waiting.append { [self] in receive(from: process, body, answer) }
            return
        default: break
        }
        let slowest = health == .slow ? 4_000_000_000 : 3_000_000
        let isLost = health == .flaky && generator.happens(30)
        world.at(later(slowest)) { [self] in
            // A failover came first.
            if health == .down { return fail() }
            let result = Result { try body() }
            world.at(world.time + Int64(generator.int(100_000...slowest)), as: process) { [self] in
                answer(isLost || health == .down ? .failure(Unreachable()) : result)
            }
        }
    }

    // MARK: Owners

    fileprivate func begin(instead former: UInt32?) -> UInt32 {
        if let former { leases[former]?.end = 0 }
        lastOwner += 1
        leases[lastOwner] = Lease(end: World.current.time + Self.leaseTime)
        return lastOwner
    }

    /// - Throws: ``LedgerError/ownerHasEnded`` unless the owner lives. It has given a sign of life.
    fileprivate func renew(_ owner: UInt32?) throws {
        guard let owner, let lease = leases[owner], !lease.isOver else { throw LedgerError.ownerHasEnded }
        leases[owner]?.end = max(lease.end, World.current.time + Self.leaseTime)
    }

    fileprivate func release(_ owner: UInt32) { leases[owner]?.end = 0 }

    fileprivate func takeOver(_ limit: Int, by owner: UInt32, knowing known: Set<EventID>) throws -> [StoredEvent] {
        try renew(owner)
        let now = World.current.time
        for (other, lease) in leases where other != owner && lease.end < now && !lease.isOver {
            leases[other]?.isOver = true
        }
        let ids = events.filter { id, event in
            leases[event.owner]?.isOver ?? true || event.owner == owner && event.isTaken && !known.contains(id)
        }.keys.sorted().prefix(limit)
        for id in ids {
            if events[id]?.owner != owner { history.isTakenOver(id) }
            events[id]?.owner = owner
            events[id]?.isTaken = true
        }
        return ids.compactMap { events[$0]?.stored }
    }

    // MARK: Entries

    fileprivate func commit(_ entries: [LedgerEntry], by owner: UInt32?) throws -> [LedgerOutcome] {
        try renew(owner)
        return entries.map { entry in
            let settlement = entry.settled(over: visitors[entry.visitor]) { events[$0] != nil }
            if !settlement.outcome.record.isEmpty { visitors[entry.visitor] = settlement.outcome.record }
            for event in settlement.events where events[event.id] == nil {
                events[event.id] = Event(
                    stored: StoredEvent(id: event.id, record: event.record), visitor: entry.visitor, owner: owner ?? 0)
            }
            return settlement.outcome
        }
    }

    fileprivate func undelivered(after id: EventID?, limit: Int, of owner: UInt32) -> [StoredEvent] {
        let ids = events.filter { event, value in
            value.owner == owner && !value.isTaken && (id.map { event > $0 } ?? true)
        }
        return ids.keys.sorted().prefix(limit).compactMap { events[$0]?.stored }
    }
}

/// One process's ledger in the shared database.
final class SharedLedger: Ledger, @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.
    private let database: SharedDatabase
    private let process: Int
    private var owner: UInt32?
    private var taken: Set<EventID> = []
    private var isClosed = false

    init(_ database: SharedDatabase, process: Int) { (self.database, self.process) = (database, process) }

    var isShared: Bool { true }
    var takeoverInterval: Duration? { .seconds(2) }

    private func perform<Value: Sendable>(
        _ body: @escaping (SharedDatabase, UInt32?) throws -> Value
    ) async throws -> Value {
        if isClosed { throw LedgerError.isClosed }
        return try await database.perform(for: process) { [database, owner] in try body(database, owner) }
    }

    func begin() async throws -> UInt32 {
        let isFirst = owner == nil
        let number = try await perform { $0.begin(instead: $1) }
        owner = number
        if isFirst { renewLater() }
        return number
    }

    /// Gives a sign of life now and then, as long as the process lives.
    private func renewLater() {
        let world = World.current
        world.at(world.time + SharedDatabase.leaseTime / 3, as: process) { [weak self] in
            guard let self, !isClosed else { return }
            Task { _ = try? await self.perform { try $0.renew($1) } }
            renewLater()
        }
    }

    func visitor(_ key: String) async throws -> VisitorState? {
        try await perform { database, _ in database.visitors[key] }
    }

    func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        try await perform { try $0.commit(entries, by: $1) }
    }

    func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await perform { $0.undelivered(after: id, limit: limit, of: $1 ?? 0) }
    }

    func takeOver(_ limit: Int) async throws -> [StoredEvent] {
        let known = taken
        let events = try await perform { try $0.takeOver(limit, by: $1 ?? 0, knowing: known) }
        taken.formUnion(events.map(\.id))
        return events
    }

    func owned(_ ids: [EventID]) async throws -> [EventID] {
        try await perform { database, owner in
            try database.renew(owner)
            return ids.filter { database.events[$0]?.owner == owner }
        }
    }

    func remove(_ ids: [EventID]) async throws {
        try await perform { database, _ in for id in ids { database.events[id] = nil } }
    }

    func forget(_ key: String) async throws {
        try await perform { database, _ in
            database.visitors[key] = nil
            database.events = database.events.filter { $0.value.visitor != key }
        }
    }

    func close() async {
        if let owner { _ = try? await perform { database, _ in database.release(owner) } }
        isClosed = true
    }
}
