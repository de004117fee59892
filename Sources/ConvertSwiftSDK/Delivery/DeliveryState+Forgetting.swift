import ConvertMonitoring

/// Events of forgotten visitors.
///
/// Some of these events may be elsewhere at that moment: in the ledger, in a read of it, or in a request that may fail.
/// So a visitor stays in the list until none of the visitor's events can appear any more.
extension DeliveryState {
    struct Forgetting: Sendable {
        let visitor: ForgottenVisitor
        /// The newest earlier event without an id.
        let lastSerial: Int
        /// Whether the ledger has not forgotten the visitor yet.
        var awaitsLedger: Bool
        /// Whether a running read may have found some of the events.
        var awaitsRead = false
        /// Whether the running request may have some of the events.
        var awaitsRequest: Bool
    }

    /// Rejects a visitor's events, including events that appear later.
    mutating func forget(_ visitor: ForgottenVisitor, _ actions: inout [Action]) {
        mayMissForgotten = mayMissForgotten || stored > 0
        forgetting.append(
            Forgetting(
                visitor: visitor, lastSerial: lastSerial, awaitsLedger: position != nil,
                awaitsRequest: !inFlight.isEmpty))
        giveUp({ [lastSerial] in visitor.hasTracked($0, lastSerial: lastSerial) }, &actions)
    }

    /// Records that the ledger has forgotten the visitor.
    mutating func didForget(_ visitor: ForgottenVisitor) {
        for index in forgetting.indices where forgetting[index].visitor === visitor {
            forgetting[index].awaitsLedger = false
            forgetting[index].awaitsRead = position?.isReading ?? false
        }
        endForgetting()
    }

    /// Records the end of a read.
    mutating func didReadForgotten(isEnd: Bool) {
        for index in forgetting.indices { forgetting[index].awaitsRead = false }
        endForgetting()
        if isEnd && forgetting.isEmpty { mayMissForgotten = false }
    }

    /// Records the end of a request. The events that it did not deliver are in the queue again.
    mutating func didSendForgotten(_ actions: inout [Action]) {
        for index in forgetting.indices { forgetting[index].awaitsRequest = false }
        if !forgetting.isEmpty { giveUp(isForgotten, &actions) }
    }

    /// Whether the event belongs to a visitor that is being forgotten.
    func isForgotten(_ event: QueuedEvent) -> Bool {
        forgetting.contains { $0.visitor.hasTracked(event, lastSerial: $0.lastSerial) }
    }

    private mutating func giveUp(_ isForgotten: (QueuedEvent) -> Bool, _ actions: inout [Action]) {
        let forgotten = queue.filter(isForgotten)
        endForgetting()
        if forgotten.isEmpty { return }
        queue.removeAll(where: isForgotten)
        heldCount = 0
        bytes -= forgotten.byteCount
        count(left: forgotten.count)
        give(up: forgotten, .forgotten, &actions)
    }

    private mutating func endForgetting() {
        forgetting.removeAll { !$0.awaitsLedger && !$0.awaitsRead && !$0.awaitsRequest }
    }
}
