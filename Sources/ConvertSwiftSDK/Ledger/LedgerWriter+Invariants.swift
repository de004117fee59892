import ConvertConcurrency
import ConvertLedgers

/// The invariants of the ledger's queue between two calls.
extension LedgerWriter.State {
    func checkInvariants(capacity: Int) {
        Invariant.inspect {
            Invariant.check(stored <= last, "nothing is stored that was not added")
            Invariant.check(settled <= stored, "the delivery has the events of what is stored")
            Invariant.check(queue.count == last - stored, "what was added and is not stored waits")
            Invariant.check(queue.count <= capacity, "the calls that wait have room")
            Invariant.check(eventCount >= 0, "the events that wait have a count")
            Invariant.check(!queue.isEmpty || eventCount == 0, "events wait with their calls")
            Invariant.check(waiters.allSatisfy { $0.ticket <= last }, "what is waited for was added")
            Invariant.check(failures > 0 || outage == nil, "a ledger that fails has failed")
            Invariant.check(lost >= 0 && (chores.failures >= 0), "losses and failures are counted")
            Invariant.check(lastNumber == 0 || owner != nil, "numbers of events belong to an owner")
            if queue.count <= 16 {
                let count = queue.elements.reduce(0) { $0 + $1.events.count }
                Invariant.check(eventCount == count, "the events that wait are those of the calls that wait")
            }
        }
    }
}

extension LedgerWriter {
    /// Checks the invariants of a group that is about to be stored.
    static func checkGroup(_ group: [Item], owner: UInt32) {
        Invariant.inspect {
            let ids = group.flatMap(\.events).compactMap(\.event.ledgerID)
            Invariant.check(group.count <= groupSize, "a group is no larger than it may be")
            Invariant.check(
                ids.count == group.reduce(0) { $0 + $1.events.count }, "every event that is stored has an id")
            Invariant.check(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }, "the ids of events ascend")
            Invariant.check(ids.allSatisfy { $0.owner <= owner }, "no event is a later owner's")
        }
    }
}
