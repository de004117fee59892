import ConvertConcurrency
import ConvertMonitoring

/// Events on their way in.
extension DeliveryState {
    /// Takes an event that is nowhere but in memory.
    mutating func accept(_ event: consuming QueuedEvent, _ actions: inout [Action]) {
        tally.accepted += 1
        hold(unstored: event, &actions)
    }

    /// Takes an event whose changes the ledger does not take for long. It was counted before.
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

    /// Takes an event that the ledger has now.
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
            // It is read in its turn, or by the next process.
            stored += 1
            if !PlantedFault.isPlanted("stored-during-read-not-counted") { position?.countStored() }
        }
    }
}
