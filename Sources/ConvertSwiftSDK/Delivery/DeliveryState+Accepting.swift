import ConvertConcurrency
import ConvertMonitoring

/// Accepting events.
extension DeliveryState {
    /// Accepts an event that no ledger has.
    mutating func accept(_ event: consuming QueuedEvent, _ actions: inout [Action]) {
        tally.accepted += 1
        hold(unstored: event, &actions)
    }

    /// Accepts an event whose entry the ledger has failed to store for long. It was already counted.
    mutating func release(_ event: consuming QueuedEvent, _ actions: inout [Action]) {
        announced -= 1
        event.ledgerID = nil
        hold(unstored: event, &actions)
    }

    private mutating func hold(unstored event: consuming QueuedEvent, _ actions: inout [Action]) {
        lastSerial += 1
        event.serial = lastSerial
        noteTracked(event.destination)
        if isStopped { return give(up: [event], .shutDown, &actions) }
        guard makeRoom(for: event, &actions) else { return }
        enqueue(event)
        count(entered: 1)
    }

    /// Accepts an event that the ledger has stored.
    mutating func take(stored event: consuming QueuedEvent, _ actions: inout [Action]) {
        announced -= 1
        guard let id = event.ledgerID else { return }
        noteTracked(event.destination)
        position?.didStore(id)
        count(entered: 1)
        if isForgotten(event) {
            count(left: 1)
            return give(up: [event], .forgotten, &actions)
        }
        let isNext =
            !isStopped && (stored == 0 || PlantedFault.isPlanted("newer-event-overtakes"))
            && position?.isRestoring != true && hasWindow(for: event)
        if isNext {
            position?.didHold(id)
            enqueue(event)
        } else {
            // The event is read later, or by the next process.
            stored += 1
            if !PlantedFault.isPlanted("stored-during-read-not-counted") { position?.countStored() }
        }
    }
}
