import ConvertConcurrency
public import ConvertSwiftSDKCore

/// Keeps the state of visitors and the undelivered tracking events in one place.
///
/// A ``LedgerEntry`` has a call's changes to a visitor and the events that report them. A ledger stores an entry whole
/// or not at all. So a visitor's decisions, the goals that the visitor triggered and the events that report them never
/// contradict each other, whatever ends the process.
///
/// ``MemoryLedger`` keeps everything in memory, `SQLiteLedger` in a file, and `PostgresLedger` in a database that the
/// servers of a fleet share. `LedgerContract` tests an implementation.
///
/// **First come, first served.** For all processes that use the ledger, the first stored decision of an experience
/// counts, and a goal counts once. ``LedgerEntry/settled(over:isStored:)`` computes the result of an entry. A ledger
/// calls it in the transaction that stores the result.
///
/// **One owner.** One SDK uses a ledger object at a time, and calls ``begin()`` first. Undelivered events belong to the
/// owner that tracked them. A ledger for a single process excludes a second owner. A ledger that servers share allows
/// others to take over an owner's events once that owner has ended.
///
/// **Calls.** All methods can be called from any task. They must not block the caller's thread: a ledger waits for a
/// disk or a network on threads of its own. The SDK makes one call of ``commit(_:)`` at a time; calls of other methods
/// may run concurrently.
public protocol Ledger: Sendable {
    /// Whether other processes use the ledger too. If so, the SDK reads a visitor's record again for each context. The
    /// default is `false`.
    var isShared: Bool { get }

    /// How often the SDK calls ``takeOver(_:)``; `nil`, the default, means never.
    var takeoverInterval: Duration? { get }

    /// Begins a new owner of undelivered events, and ends the previous owner of this object.
    ///
    /// - Returns: the owner's number, from 1 to 2^31 - 1. No owner had it before, in any process.
    /// - Throws: any error if there is no new owner. The SDK retries.
    func begin() async throws -> UInt32

    /// The stored state of a visitor, or `nil` if nothing is stored.
    ///
    /// - Parameter key: the visitor's key, `account-project-visitor`. Two keys are equal only if their UTF-8 bytes are.
    /// - Throws: any error if the state cannot be read. Until the next attempt, the SDK treats the visitor as new.
    func visitor(_ key: String) async throws -> VisitorState?

    /// Stores entries in order. Returns once they are durable.
    ///
    /// Several entries may belong to one visitor: each is settled on top of the result of the one before it. An entry
    /// that an earlier call with an unknown result has stored is recognized by the ids of its events.
    /// - Parameter entries: 1 to 512 entries.
    /// - Returns: an outcome for each entry, in order, with the visitor's record after that entry.
    /// - Throws: any error unless all entries are certainly stored. Each entry may be stored whole or not at all. The
    ///   SDK retries them. For ``LedgerError/ownerHasEnded`` it calls ``begin()`` first.
    func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome]

    /// The oldest undelivered events of this object's owner, in the order of their ids.
    ///
    /// A ledger for a single process includes the events of all earlier owners. A ledger that servers share returns
    /// events of other owners from ``takeOver(_:)``.
    /// - Parameters:
    ///   - id: the event to continue after; `nil` begins with the oldest.
    ///   - limit: the maximum number of events, 1 or more. A shorter list means that there are no more.
    func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent]

    /// Takes over undelivered events of an owner that has ended without delivering them. Afterwards they belong to this
    /// object's owner, under their old ids.
    ///
    /// - Parameter limit: the maximum number of events, 1 or more.
    /// - Returns: the events that this call took over. A ledger for a single process returns an empty array.
    func takeOver(_ limit: Int) async throws -> [StoredEvent]

    /// Returns which of the events still belong to this object's owner, so that they may be sent.
    ///
    /// The SDK calls this before each request with events of a shared ledger. A process that was stopped for longer
    /// than its lease may have lost them to another process. While the lease is certain, the call takes no round trip.
    /// - Parameter ids: ids of committed events. Those of removed events may be missing from the result.
    /// - Returns: the ids of the owner's events, in the order of `ids`. A ledger for a single process returns all of
    ///   them.
    /// - Throws: ``LedgerError/ownerHasEnded`` if another process has begun to take over the owner's events; any other
    ///   error if the owner is unknown for now. The events wait then.
    func owned(_ ids: [EventID]) async throws -> [EventID]

    /// Removes events that were delivered or rejected for good. Ids without an event are ignored.
    func remove(_ ids: [EventID]) async throws

    /// Removes the state and the undelivered events of a visitor.
    func forget(_ key: String) async throws

    /// Ends the owner and releases files, locks and connections. Later calls throw ``LedgerError/isClosed``.
    func close() async
}

extension Ledger {
    /// The default: `false`.
    public var isShared: Bool { false }

    /// The default: `nil`.
    public var takeoverInterval: Duration? { nil }

    /// The default: returns `ids`.
    public func owned(_ ids: [EventID]) async throws -> [EventID] { ids }

    /// The default: returns an empty array.
    public func takeOver(_ limit: Int) async throws -> [StoredEvent] { [] }
}

/// Errors of a ledger to which the SDK reacts in a special way.
public enum LedgerError: Error, Sendable, Hashable {
    /// Another process has taken over the events of this object's owner, because the owner seemed to have ended.
    case ownerHasEnded
    /// The ledger was closed.
    case isClosed
    /// There is no room for more undelivered events.
    case isFull
}

extension LedgerError: LoggableError {}

extension LedgerError: CustomStringConvertible {
    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .ownerHasEnded: "the lease of this process has ended, and another process may have taken over its events"
        case .isClosed: "the ledger was closed"
        case .isFull: "the ledger has no room for more undelivered events"
        }
    }
}
