/// An event history whose records may have to wait, for another process for instance.
///
/// The engine begins records while it processes an event, when nothing may wait, and finishes those that have to after the
/// event's turn.
package protocol DeferringEventHistory: EventHistory {
    /// Records an occurrence if that can be done at once. Otherwise it waits, and counts in look-ups meanwhile.
    /// - Parameter onlyIfNew: as in ``EventHistory/recordIfNew(_:at:)``.
    /// - Throws: if it can neither be recorded nor wait.
    func begin(_ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool) throws -> RecordProgress

    /// Waits until records are written, for a bounded time for all of them together.
    ///
    /// - Returns: for each ticket whether the occurrence was new, where that was asked, or why it is not written. One that was
    ///   to be new is not recorded then; any other stays, and is tried again.
    func finish(_ tickets: [Int]) -> [Result<Bool, any Error>]
}

/// What became of a record.
package enum RecordProgress: Sendable {
    /// It is in the store, unless it was to be new and is not.
    case isWritten(isNew: Bool)
    /// It is to be finished under this ticket.
    case waits(Int)
}
