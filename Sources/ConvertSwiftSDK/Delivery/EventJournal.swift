#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps accepted tracking events until they are delivered, so that they survive the end of the process.
///
/// With a ``VisitorStore`` beside it, the journal keeps the decisions and goals that events report too, until the store has
/// saved them. After a process was killed, the next one on the same journal and store takes both up, so that visitors stay
/// in their variations and no goal counts twice.
///
/// `ConvertSQLiteStores` has one. The journal does not look into records: to it they are bytes, with an id each.
///
/// **Ids** are positive, grow in the order of appending, and are never given twice, not even after all events were
/// removed and the process was started again.
///
/// **Who owns it.** One SDK in one process at a time. A journal in a place that processes share keeps a second owner out
/// when it is opened, in a way that ends with the owner's process (a lock on a file, for instance, not a mark in it), so
/// that what a killed process left behind is taken over by the next one. Otherwise events would be delivered twice.
///
/// **Delivery** is at least once: an event whose removal fails, or whose process ends before, is read and sent again.
public protocol EventJournal: Sendable {
    /// Appends events in order, all of them or none, and returns when they are safe from the end of the process.
    ///
    /// Tracking calls it before it returns, on the caller's thread or that of another call which tracks at the same time: it
    /// must be short. A journal that waits for a network here holds up decisions that are tracked, and the thread that makes
    /// them: `PostgresEventJournal` does, and limits the wait. One call of it is made at a time; calls of the other two methods run
    /// beside it, at most two of ``events(after:limit:)``, each of which reads for another purpose, and one of
    /// ``remove(_:)``. A call of those that takes too long is given up, and none further is made until it returns.
    /// - Parameter records: the events' bytes; one is as large as what the app tracks with it, a few hundred bytes mostly.
    /// - Returns: one id per record, in order.
    /// - Throws: any error if nothing was appended. Then the error is logged, and events are kept in memory: until the
    ///   journal has taken those, one call at a time, it is offered no others.
    func append(_ records: [Data]) throws -> [Int64]

    /// The oldest events whose id is above `id`, in order.
    ///
    /// - Parameters:
    ///   - id: where to go on; 0 means from the start.
    ///   - limit: at most this many, 1 or more. A shorter list means that there are no more.
    /// - Throws: any error if they cannot be read. It is logged, and reading is tried again later.
    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent]

    /// Forgets events that were delivered, or rejected for good. Ids that are not there are ignored.
    ///
    /// - Throws: any error if they were not removed. It is logged, and tried again until it works; meanwhile they are not
    ///   sent again.
    func remove(_ ids: [Int64]) async throws
}

/// One event in an ``EventJournal``.
public struct JournaledEvent: Sendable, Equatable {
    /// The event's id.
    public let id: Int64
    /// The event's bytes, as they were appended.
    public let record: Data

    /// An event.
    public init(id: Int64, record: Data) {
        self.id = id
        self.record = record
    }
}
