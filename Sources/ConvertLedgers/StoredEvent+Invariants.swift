import ConvertConcurrency

extension [StoredEvent] {
    /// Checks the invariants of undelivered events that a ledger returns.
    package func checkOrder(after id: EventID?, limit: Int) {
        Invariant.inspect {
            Invariant.check(count <= Swift.max(0, limit), "a ledger gives no more events than it is asked for")
            Invariant.check(
                zip(self, dropFirst()).allSatisfy { $0.id < $1.id }, "a ledger gives events in the order of their ids")
            Invariant.check(
                first.map { first in id.map { $0 < first.id } ?? true } ?? true,
                "a ledger gives events after the one that is named")
        }
    }
}
