#if Postgres
import ConvertLedgers
import ConvertSwiftSDK

/// What a ledger object knows about its owner and lease.
struct Ownership: Sendable {
    /// The owner's number, once there is one.
    private(set) var owner: Int64?
    /// Earlier owners of this object whose events were not all moved to ``owner`` yet.
    private(set) var formers: [Int64] = []
    /// Until then no other server can have taken over anything.
    private var leaseEnd = Duration.zero
    /// Events with lower ids may have been taken over when an earlier owner ended.
    private var firstSafeID: Int64 = 0
    /// Until then only events of servers that were closed are taken over; `nil` if also those of others are.
    private var patienceEnd: Duration?
    /// Events of which the commit that took them over may have succeeded, though its answer was lost.
    var unsure: Set<Int64> = []
    /// When to look for old records next.
    private var cleaningTime: Duration?
    var isClosed = false

    /// Takes note of a new owner, whose lease began at `time`.
    mutating func didBegin(_ owner: Int64, at time: Duration, lease: Duration) {
        if let former = self.owner { formers.append(former) }
        self.owner = owner
        didRenew(owner, at: time, lease: lease)
    }

    /// Takes note that the events of `former` belong to ``owner`` now, unless they were taken over before.
    mutating func didSucceed(_ former: Int64, isIntact: Bool) {
        formers.removeAll { $0 == former }
        if !isIntact, let owner { firstSafeID = owner << 32 }
    }

    /// Takes note of a renewal that began at `time`. A late one of an earlier owner says nothing about this one's
    /// lease.
    ///
    /// If the database was away for longer than a lease, others could not renew theirs either. They get as long to do
    /// so before this server takes over their events.
    mutating func didRenew(_ owner: Int64, at time: Duration, lease: Duration) {
        guard owner == self.owner else { return }
        if leaseEnd > .zero, time >= leaseEnd { patienceEnd = time + lease }
        leaseEnd = max(leaseEnd, time + lease)
    }

    /// Whether only events of servers that were closed are taken over.
    func isPatient(at time: Duration) -> Bool { patienceEnd.map { time < $0 } ?? false }

    /// Whether it is certain that all stored events among these are this object's.
    func surelyOwns(_ ids: [EventID], at time: Duration) -> Bool {
        guard let owner, time < leaseEnd else { return false }
        let firstID = formers.isEmpty ? firstSafeID : owner << 32
        return ids.allSatisfy { $0.rawValue >= firstID }
    }

    /// Whether it is time to look for old records. Then it is again after ``VisitorRetention/interval``.
    mutating func beginsCleaning(at time: Duration) -> Bool {
        if let cleaningTime, time < cleaningTime { return false }
        cleaningTime = time + VisitorRetention.interval
        return true
    }
}
#endif
