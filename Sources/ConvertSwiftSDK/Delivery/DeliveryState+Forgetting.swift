import ConvertMonitoring

/// Events of visitors who are forgotten.
///
/// Some of them are elsewhere at that moment: in the ledger, on their way from there, or in a request, with which they
/// come back if it fails. So a visitor stays in the list until nothing of them can come any more.
extension DeliveryState {
    struct Forgetting: Sendable {
        let visitor: ForgottenVisitor
        /// The newest event of before that has no id.
        let lastSerial: Int
        /// Whether the ledger is yet to forget them.
        var awaitsLedger: Bool
        /// Whether a read that may have found some of the events is under way.
        var awaitsRead = false
        /// Whether a request that may have some of the events is under way.
        var awaitsRequest: Bool
    }

    /// Gives up a visitor's events, and those that come back.
    mutating func forget(_ visitor: ForgottenVisitor, _ actions: inout [Action]) {
        mayMissForgotten = mayMissForgotten || stored > 0
        forgetting.append(
            Forgetting(
                visitor: visitor, lastSerial: lastSerial, awaitsLedger: position != nil,
                awaitsRequest: !inFlight.isEmpty))
        giveUp({ [lastSerial] in visitor.hasTracked($0, lastSerial: lastSerial) }, &actions)
    }

    /// The ledger has forgotten the visitor.
    mutating func didForget(_ visitor: ForgottenVisitor) {
        for index in forgetting.indices where forgetting[index].visitor === visitor {
            forgetting[index].awaitsLedger = false
            forgetting[index].awaitsRead = position?.isReading ?? false
        }
        endForgetting()
    }

    /// A read is over.
    mutating func didReadForgotten(isEnd: Bool) {
        for index in forgetting.indices { forgetting[index].awaitsRead = false }
        endForgetting()
        if isEnd && forgetting.isEmpty { mayMissForgotten = false }
    }

    /// A request is over, and what it did not deliver is in the queue.
    mutating func didSendForgotten(_ actions: inout [Action]) {
        for index in forgetting.indices { forgetting[index].awaitsRequest = false }
        if !forgetting.isEmpty { giveUp(isForgotten, &actions) }
    }

    /// Whether the event is one of a visitor who is being forgotten.
    func isForgotten(_ event: QueuedEvent) -> Bool {
        forgetting.contains { $0.visitor.hasTracked(event, lastSerial: $0.lastSerial) }
    }

    private mutating func giveUp(_ isForgotten: (QueuedEvent) -> Bool, _ actions: inout [Action]) {
        let forgotten = queue.filter(isForgotten)
        endForgetting()
        if forgotten.isEmpty { return }
        let ids = Set(forgotten.compactMap(\.ledgerID))
        let serials = Set(forgotten.filter { $0.ledgerID == nil }.map(\.serial))
        queue.removeAll { event in event.ledgerID.map { ids.contains($0) } ?? serials.contains(event.serial) }
        heldCount = 0
        bytes -= forgotten.byteCount
        count(left: forgotten.count)
        give(up: forgotten, .forgotten, &actions)
    }

    private mutating func endForgetting() {
        forgetting.removeAll { !$0.awaitsLedger && !$0.awaitsRead && !$0.awaitsRequest }
    }
}
