import ConvertLedgers

/// A visitor who is forgotten, with all events that were tracked until then.
final class ForgottenVisitor: Sendable {
    private let isOfVisitor: @Sendable (QueuedEvent) -> Bool
    /// No event that was tracked later has an id up to this one; `nil` if none has an id yet.
    private let lastID: EventID?

    init(lastID: EventID?, _ isOfVisitor: @escaping @Sendable (QueuedEvent) -> Bool) {
        self.lastID = lastID
        self.isOfVisitor = isOfVisitor
    }

    /// Whether the event is one of those that are forgotten.
    ///
    /// - Parameter lastSerial: the newest one without an id.
    func hasTracked(_ event: QueuedEvent, lastSerial: Int) -> Bool {
        guard isOfVisitor(event) else { return false }
        guard let id = event.ledgerID else { return event.serial <= lastSerial }
        return lastID.map { id <= $0 } ?? true
    }
}
