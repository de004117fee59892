import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import ConvertConcurrency

/// The journal's part of the delivery: reading what is stored, and forgetting what is out.
extension EventDelivery {
    /// Beyond this many ids the oldest are no longer tried to be removed; a later process delivers their events again.
    private static var unremovedLimit: Int { 100_000 }

    /// A journal is an app's own code; one that never answers must not hold up a flush.
    private var journalTimeout: Duration { endpoint.timeout + .seconds(5) }

    /// Hands the state events that the journal holds after `id`.
    func readJournal(after id: Int64, limit: Int) async {
        guard let journal else { return }
        do {
            let found = try await withDeadline(journalTimeout, by: time) {
                try await journal.events(after: id, limit: limit)
            }
            log.clear(.journalRead)
            var events: [QueuedEvent] = []
            var unreadable: [Int64] = []
            for entry in found {
                if let value = try? JSValue(json: entry.record),
                    let event = QueuedEvent(record: value, journalID: entry.id)
                {
                    events.append(event)
                } else {
                    unreadable.append(entry.id)
                }
            }
            handle(.read(events, unreadable: unreadable, isEnd: found.count < limit))
        } catch {
            log.once(.journalRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
            handle(.readFailed)
        }
    }

    /// Makes the journal forget `ids` in its own time.
    func forget(_ ids: [Int64]) {
        machine.withLock { machine in
            machine.unremoved += ids
            if machine.unremoved.count > Self.unremovedLimit {
                machine.unremoved.removeFirst(machine.unremoved.count - Self.unremovedLimit)
            }
            beginRemoval(&machine)
        }
    }

    /// Waits until the journal has forgotten what was delivered, or for `deadline`: a process that ended before would leave
    /// delivered events to the next one, which would send them again.
    func forgetDelivered(until deadline: Duration) async {
        // What it refused to forget earlier is tried once more.
        let removal = machine.withLock { machine in
            if !machine.unremoved.isEmpty { beginRemoval(&machine) }
            return machine.removal
        }
        guard let removal else { return }
        try? await withDeadline(deadline - time.now, by: time) { await removal.value }
    }

    private func beginRemoval(_ machine: inout Machine) {
        if machine.isRemoving { return }
        machine.isRemoving = true
        machine.removal = Task { await self.removeFromJournal() }
    }

    private func removeFromJournal() async {
        while let journal {
            let ids = machine.withLock { machine in
                defer { machine.unremoved = [] }
                return machine.unremoved
            }
            do {
                if !ids.isEmpty {
                    try await withDeadline(journalTimeout, by: time) { try await journal.remove(ids) }
                    log.clear(.journalRemove)
                }
                let isDone = machine.withLock { machine in
                    if machine.unremoved.isEmpty { machine.isRemoving = false }
                    return machine.unremoved.isEmpty
                }
                if isDone { return }
            } catch {
                // They are tried again together with the next ones.
                machine.withLock { machine in
                    machine.unremoved = ids + machine.unremoved
                    machine.isRemoving = false
                }
                log.once(
                    .journalRemove,
                    "delivered events stay in the journal (\(type(of: error))); they may be delivered twice.")
                return
            }
        }
    }
}
