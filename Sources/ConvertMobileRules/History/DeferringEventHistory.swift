/// An event history whose records may have to wait, for instance for another process.
///
/// The engine begins records while it processes an event, when it must not wait. It finishes the records that have to
/// wait after the event's turn.
package protocol DeferringEventHistory: EventHistory {
    /// Records an occurrence immediately if possible. Otherwise the record waits, and look-ups already count it.
    ///
    /// - Parameter onlyIfNew: whether to record only a new occurrence, as in ``EventHistory/recordIfNew(_:at:)``.
    /// - Throws: if the occurrence can neither be recorded nor wait.
    func begin(_ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool) throws -> RecordProgress

    /// Waits until records are written, for a limited time for all of them together.
    ///
    /// - Returns: for each ticket whether the occurrence was new, if that was requested, or why it was not written. An
    ///   occurrence that had to be new is dropped after a failure. Any other occurrence is kept and tried again.
    func finish(_ tickets: [Int]) -> [Result<Bool, any Error>]
}

/// The progress of a record.
package enum RecordProgress: Sendable {
    /// The record is written, unless it had to be new and was not.
    case isWritten(isNew: Bool)
    /// The record waits. ``DeferringEventHistory/finish(_:)`` takes this ticket.
    case waits(Int)
}
