import ConvertConcurrency
public import ConvertSwiftSDKCore

/// Keeps what is known about visitors, and the tracking events that are not delivered yet, in one place.
///
/// What a call changes of a visitor and what it reports are one ``LedgerEntry``. A ledger stores all of an entry or
/// nothing of it. So a visitor's decision, the goals that the visitor triggered and the events that report them never
/// contradict each other, whatever ends the process.
///
/// ``MemoryLedger`` keeps everything in memory, `SQLiteLedger` in a file, and `PostgresLedger` in a database that the
/// servers of a fleet share. `LedgerContract` checks what a ledger promises.
///
/// **First come, first served.** The first stored decision of an experience counts, and a goal counts once, for all
/// processes that use the ledger. ``LedgerEntry/settled(over:isStored:)`` says what becomes of an entry; a ledger calls
/// it in the transaction in which it stores the result.
///
/// **One owner.** One SDK uses a ledger object at a time, and begins with ``begin()``. Undelivered events belong to the
/// owner that tracked them. A ledger in one place for one process keeps a second owner out. A ledger that servers share
/// lets an owner's events be taken over once that owner has ended.
///
/// **Calls.** All methods may be called from any task, and none of them blocks the thread of its caller: a ledger waits
/// for a disk or a network on threads of its own. The SDK makes one call of ``commit(_:)`` at a time. Calls of other
/// methods may run beside it.
public protocol Ledger: Sendable {
    /// Whether other processes use the ledger too. Then a visitor's record is read again for each context. `false`
    /// unless a ledger says otherwise.
    var isShared: Bool { get }

    /// How often to look for undelivered events of owners that have ended, see ``takeOver(_:)``. `nil`, as it is unless
    /// a ledger says otherwise, means never.
    var takeoverInterval: Duration? { get }

    /// Begins a new owner of undelivered events, and ends the one that this object had before.
    ///
    /// - Returns: the owner's number, 1 or more and below 2^31, which no owner had before, not even in another process.
    /// - Throws: any error if there is no new owner. The SDK tries again.
    func begin() async throws -> UInt32

    /// What is stored about a visitor, or `nil` if nothing is.
    ///
    /// - Parameter key: the visitor's key, `account-project-visitor`. Two keys are equal only if their UTF-8 bytes are.
    /// - Throws: any error if that cannot be read. Then the visitor counts as a new one until the next attempt.
    func visitor(_ key: String) async throws -> VisitorState?

    /// Stores entries in their order. Returns once they are safe.
    ///
    /// Several entries may be of one visitor: each is settled over the result of the one before it. Entries that were
    /// stored by an earlier call whose outcome is unknown are recognized by their events' ids.
    /// - Parameter entries: 1 to 512 entries.
    /// - Returns: an outcome for each entry, in order. It has the visitor's record as it is after that entry.
    /// - Throws: any error if it is not known that all of them are stored. Each entry may be stored whole or not at
    ///   all. The SDK offers them again. ``LedgerError/ownerHasEnded`` asks it to call ``begin()`` before.
    func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome]

    /// The oldest undelivered events that this object's owner tracked, in the order of their ids.
    ///
    /// In a ledger for one process the events of all earlier owners are among them. In one that servers share,
    /// ``takeOver(_:)`` gives those of other owners.
    /// - Parameters:
    ///   - id: the event to go on after; `nil` begins with the oldest.
    ///   - limit: at most this many, 1 or more. A shorter list means that there are no more.
    func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent]

    /// Takes over undelivered events of an owner that has ended without delivering them. They belong to this object's
    /// owner from then on, under their old ids.
    ///
    /// - Parameter limit: at most this many, 1 or more.
    /// - Returns: the events that were taken over with this call. A ledger for one process returns none.
    func takeOver(_ limit: Int) async throws -> [StoredEvent]

    /// Which of the events belong to this object's owner still, so that they may be sent.
    ///
    /// The SDK asks before each request with events of a ledger that others share. A process that was stopped for
    /// longer than its lease may have lost them to another one. As long as the lease is certain, the answer takes no
    /// round trip.
    /// - Parameter ids: ids of committed events. Those of removed events may be missing from the answer.
    /// - Returns: the ids of the owner's events, in the order of `ids`. A ledger for one process returns all of them.
    /// - Throws: ``LedgerError/ownerHasEnded`` if another process has begun to take over the owner's events; any error
    ///   if it is not known whose the events are. They wait then.
    func owned(_ ids: [EventID]) async throws -> [EventID]

    /// Removes events that were delivered, or given up for good. Ids of which there is no event are ignored.
    func remove(_ ids: [EventID]) async throws

    /// Removes everything that is stored about a visitor, and the visitor's undelivered events.
    func forget(_ key: String) async throws

    /// Ends the owner and gives back files, locks and connections. Later calls throw ``LedgerError/isClosed``.
    func close() async
}

extension Ledger {
    /// `false`.
    public var isShared: Bool { false }

    /// `nil`.
    public var takeoverInterval: Duration? { nil }

    /// All of `ids`.
    public func owned(_ ids: [EventID]) async throws -> [EventID] { ids }

    /// No events.
    public func takeOver(_ limit: Int) async throws -> [StoredEvent] { [] }
}

/// Why a ledger did not do what it was asked to do, where the SDK does something about it.
public enum LedgerError: Error, Sendable, Hashable {
    /// Another process took over the events of this object's owner, because it seemed to have ended.
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
