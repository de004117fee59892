#if Postgres
import ConvertLedgers

/// A ledger object's knowledge about its owner and lease.
struct Ownership: Sendable {
    /// The owner's number; `nil` before the first owner begins.
    private(set) var owner: Int64?
    /// Earlier owners of this object whose events have not all been moved to ``owner`` yet.
    private(set) var formers: [Int64] = []
    /// The time until which no other server can have taken over any event.
    private var leaseEnd = Duration.zero
    /// Other servers may have taken over events with lower ids, when an earlier owner ended.
    private var firstSafeID: Int64 = 0
    /// The time until which this server takes over only events of closed servers; `nil` if it takes over events of all
    /// ended owners.
    private var patienceEnd: Duration?
    /// Ids of events in a takeover whose commit may have succeeded although its answer was lost.
    var unsure: Set<Int64> = []
    /// When to look for old visitor records next.
    private var cleaningTime: Duration?
    var isClosed = false

    /// Records a new owner, whose lease began at `time`.
    mutating func didBegin(_ owner: Int64, at time: Duration, lease: Duration) {
        if let former = self.owner { formers.append(former) }
        self.owner = owner
        didRenew(owner, at: time, lease: lease)
    }

    /// Records that the events of `former` now belong to ``owner``. If `isIntact` is `false`, others may have taken
    /// some.
    mutating func didSucceed(_ former: Int64, isIntact: Bool) {
        formers.removeAll { $0 == former }
        if !isIntact, let owner { firstSafeID = owner << 32 }
    }

    /// Records a renewal that began at `time`. A late renewal of an earlier owner is ignored.
    ///
    /// If the database was away for longer than a lease, other servers could not renew either. They get one lease to do
    /// so before this server takes over their events.
    mutating func didRenew(_ owner: Int64, at time: Duration, lease: Duration) {
        guard owner == self.owner else { return }
        if leaseEnd > .zero, time >= leaseEnd { patienceEnd = time + lease }
        leaseEnd = max(leaseEnd, time + lease)
    }

    /// Whether only events of closed servers may be taken over.
    func isPatient(at time: Duration) -> Bool { patienceEnd.map { time < $0 } ?? false }

    /// Whether all stored events among `ids` certainly belong to this object.
    func surelyOwns(_ ids: [EventID], at time: Duration) -> Bool {
        guard let owner, time < leaseEnd else { return false }
        let firstID = formers.isEmpty ? firstSafeID : owner << 32
        return ids.allSatisfy { $0.rawValue >= firstID }
    }

    /// Whether it is time to look for old records. If so, sets the next time, ``VisitorRetention/interval`` later.
    mutating func beginsCleaning(at time: Duration) -> Bool {
        if let cleaningTime, time < cleaningTime { return false }
        cleaningTime = time + VisitorRetention.interval
        return true
    }
}
#endif
