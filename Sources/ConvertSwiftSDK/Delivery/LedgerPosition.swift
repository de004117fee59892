import ConvertLedgers
import ConvertConcurrency

/// The progress of reading the ledger's undelivered events, and which of them this process stored.
struct LedgerPosition: Sendable {
    /// Whether all events of earlier processes were read.
    private(set) var isRestored = false
    /// Events up to this id are, or were, in memory.
    private var lastHeld: EventID?
    /// The number of this process's first owner.
    private var firstOwner: UInt32?
    /// Whether this process still waits for its first owner.
    private var awaitsOwner = true
    /// The newest event that this process stored.
    private var newest: EventID?
    /// Whether a read is running.
    private(set) var isReading = false
    private var retryTime: Duration?
    /// Whether the last read found only events whose commit has no outcome yet.
    private var awaitsOutcome = false
    /// The number of events to request while their size is unknown or was too large for the memory; `nil` for the
    /// policy's limit.
    private var portion: Int? = 16
    /// The size of the event that did not fit in memory at the last read.
    private var roomNeeded = 0
    /// The number of events that were stored during a read without being in memory; the read may miss them.
    private var storedSinceRead = 0

    /// Whether events of earlier processes are being read. That begins with this process's first owner.
    var isRestoring: Bool { firstOwner != nil && !isRestored }

    /// Whether events of earlier processes may still be read.
    var willRestore: Bool { !isRestored && (firstOwner != nil || awaitsOwner) }

    /// Records a new owner of this process.
    mutating func didBegin(_ owner: UInt32) {
        Invariant.check((firstOwner ?? 0) <= owner, "the numbers of owners ascend")
        firstOwner = firstOwner ?? owner
    }

    /// Records that the ledger fails, so that nothing waits for the first owner any more.
    mutating func didNotBegin() { awaitsOwner = false }

    /// Records that the ledger has stored an event of this process.
    mutating func didStore(_ id: EventID) {
        newest = max(newest ?? id, id)
        if awaitsOutcome { (awaitsOutcome, retryTime) = (false, nil) }
    }

    /// Whether the ledger has just stored the event, and the outcome of its commit is still unknown here.
    func isUntold(_ id: EventID) -> Bool { isOwn(id) && newest.map { id > $0 } ?? true }

    /// Whether this process stored the event.
    func isOwn(_ id: EventID) -> Bool { firstOwner.map { id.owner >= $0 } ?? false }

    /// Whether to accept the event from a read. An event that was in memory is not accepted. An event that the ledger
    /// has just stored arrives with the outcome of its commit.
    func isWanted(_ id: EventID) -> Bool {
        if let lastHeld, id <= lastHeld { return false }
        return !isUntold(id) || PlantedFault.isPlanted("read-before-outcome")
    }

    /// Records that the event is in memory, or unreadable.
    mutating func didHold(_ id: EventID) { lastHeld = max(lastHeld ?? id, id) }

    /// Records that a read stopped before the event of `size` bytes, after `count` others, for lack of room.
    mutating func didCut(after count: Int, size: Int) {
        portion = max(1, count)
        roomNeeded = size
    }

    /// Records that there was room for all events of a read.
    mutating func didTakeAll() { portion = portion.flatMap { $0 < 1 << 16 ? 2 * $0 : nil } }

    mutating func countStored() { storedSinceRead += 1 }

    /// The number of events to read now; `nil` for no read. Half of the memory is for events of the ledger. The next
    /// read waits until half of those were sent, so that reads are few.
    func readLimit(in state: DeliveryState, now: Duration) -> Int? {
        guard wantsRead(in: state) else { return nil }
        if let retryTime, retryTime > now { return nil }
        let room = state.window - state.queue.count - state.inFlight.count
        return max(1, min(portion ?? .max, state.policy.readLimit, room))
    }

    /// Returns the id to read after.
    mutating func beginRead() -> EventID? {
        Invariant.check(!isReading, "one read is under way at a time")
        isReading = true
        retryTime = nil
        storedSinceRead = 0
        roomNeeded = 0
        return lastHeld
    }

    /// Cancels the wait before the next read, for a flush.
    mutating func readAgain() { retryTime = nil }

    /// Like ``readFailed(retryAt:)``, but the next stored event ends the wait.
    mutating func readAgainOnceTold(retryAt time: Duration) {
        readFailed(retryAt: time)
        awaitsOutcome = true
    }

    mutating func readFailed(retryAt time: Duration) {
        isReading = false
        retryTime = time
    }

    /// Records the end of a read. Returns how many of the stored events can still be in the ledger.
    mutating func endRead(isEnd: Bool) -> Int {
        Invariant.check(isReading, "a read that ends has begun")
        isReading = false
        if isEnd && !isRestored {
            isRestored = true
            // Events of other processes are taken over from here on, so they must not be read as well.
            if let firstOwner { didHold(EventID(owner: firstOwner, number: 0)) }
        }
        return storedSinceRead
    }

    /// When the next read is due, if it waits only for that time.
    func retryTime(in state: DeliveryState) -> Duration? { wantsRead(in: state) ? retryTime : nil }

    private func wantsRead(in state: DeliveryState) -> Bool {
        let ahead = state.queue.count + state.inFlight.count
        let hasRoom =
            state.bytes <= state.policy.byteCapacity / 4 && roomNeeded <= state.policy.byteCapacity - state.bytes
        return !isReading && (ahead == 0 || ahead <= state.window / 2 && hasRoom) && (isRestoring || state.stored > 0)
    }

    func checkInvariants() {
        Invariant.check((portion ?? 1) >= 1, "a read asks for an event at least")
        Invariant.check(roomNeeded >= 0 && storedSinceRead >= 0, "what reads wait for is counted")
        Invariant.check(!awaitsOutcome || retryTime != nil, "a read that waits for an outcome is tried again")
    }
}
