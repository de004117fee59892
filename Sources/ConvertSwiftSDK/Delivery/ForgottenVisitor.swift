import ConvertLedgers

/// A forgotten visitor, with all events that were tracked before.
final class ForgottenVisitor: Sendable {
    private let isOfVisitor: @Sendable (QueuedEvent) -> Bool
    /// The highest id that an earlier event can have; later events have higher ids. `nil` if no event has an id yet.
    private let lastID: EventID?

    init(lastID: EventID?, _ isOfVisitor: @escaping @Sendable (QueuedEvent) -> Bool) {
        self.lastID = lastID
        self.isOfVisitor = isOfVisitor
    }

    /// Whether the event is one of the forgotten events.
    ///
    /// - Parameter lastSerial: the serial of the newest earlier event without an id.
    func hasTracked(_ event: QueuedEvent, lastSerial: Int) -> Bool {
        guard isOfVisitor(event) else { return false }
        guard let id = event.ledgerID else { return event.serial <= lastSerial }
        return lastID.map { id <= $0 } ?? true
    }
}
