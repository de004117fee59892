/// An event history whose records may have to wait, for instance for another process.
///
/// The engine begins records while it processes an event, when nothing may wait. It finishes the records that must wait
/// after the event's turn.
package protocol DeferringEventHistory: EventHistory {
    /// Records an occurrence immediately if possible. Otherwise the record waits, and look-ups already count it.
    /// - Parameter onlyIfNew: as in ``EventHistory/recordIfNew(_:at:)``.
    /// - Throws: if the occurrence can neither be recorded nor wait.
    func begin(_ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool) throws -> RecordProgress

    /// Waits until records are written, for a limited time for all of them together.
    ///
    /// - Returns: for each ticket whether the occurrence was new, if that was requested, or why it was not written. On
    ///   failure, an occurrence that had to be new is not recorded; any other one is kept and tried again.
    func finish(_ tickets: [Int]) -> [Result<Bool, any Error>]
}

/// The progress of a record.
package enum RecordProgress: Sendable {
    /// It is written, unless it had to be new and was not.
    case isWritten(isNew: Bool)
    /// It must be finished, under this ticket.
    case waits(Int)
}
