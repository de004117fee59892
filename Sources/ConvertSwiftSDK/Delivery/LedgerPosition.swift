import ConvertLedgers
import ConvertConcurrency

/// How far the ledger's undelivered events have been read, and which of them this process stored.
struct LedgerPosition: Sendable {
    /// Whether what an earlier process left was read completely.
    private(set) var isRestored = false
    /// Events up to this id are, or were, in memory.
    private var lastHeld: EventID?
    /// The first owner's number that this process had.
    private var firstOwner: UInt32?
    /// Whether this process' first owner is about to begin.
    private var awaitsOwner = true
    /// The newest event that this process stored.
    private var newest: EventID?
    /// Whether a read is under way.
    private(set) var isReading = false
    private var retryTime: Duration?
    /// Whether the last read found nothing but events that the ledger has just stored.
    private var awaitsOutcome = false
    /// How many events to ask for, as it is not known how large they are, or those read before were too large for the
    /// memory; `nil` for the policy's number.
    private var portion: Int? = 16
    /// The size of the event for which there was no room in memory at the last read.
    private var roomNeeded = 0
    /// Number of events that came to be only in the ledger while a read was under way, and may be missing in it.
    private var storedSinceRead = 0

    /// Whether what an earlier process left is being read. That begins with this process' first owner.
    var isRestoring: Bool { firstOwner != nil && !isRestored }

    /// Whether what an earlier process left is on its way into memory.
    var willRestore: Bool { !isRestored && (firstOwner != nil || awaitsOwner) }

    /// This process has another owner's number.
    mutating func didBegin(_ owner: UInt32) {
        Invariant.check((firstOwner ?? 0) <= owner, "the numbers of owners ascend")
        firstOwner = firstOwner ?? owner
    }

    /// The ledger fails, and nothing waits for the first owner any more.
    mutating func didNotBegin() { awaitsOwner = false }

    /// The ledger has an event of this process.
    mutating func didStore(_ id: EventID) {
        newest = max(newest ?? id, id)
        if awaitsOutcome { (awaitsOutcome, retryTime) = (false, nil) }
    }

    /// Whether the ledger has just stored the event with the id, and its commit's outcome is still on its way.
    func isUntold(_ id: EventID) -> Bool { isOwn(id) && newest.map { id > $0 } ?? true }

    /// Whether this process stored the event with the id.
    func isOwn(_ id: EventID) -> Bool { firstOwner.map { id.owner >= $0 } ?? false }

    /// Whether the event with the id is to be taken from a read: it was not in memory, and does not come here
    /// otherwise. An event that the ledger has just stored comes with its outcome.
    func isWanted(_ id: EventID) -> Bool {
        if let lastHeld, id <= lastHeld { return false }
        return !isUntold(id) || PlantedFault.isPlanted("read-before-outcome")
    }

    /// The event with the id is in memory, or its bytes are not an event.
    mutating func didHold(_ id: EventID) { lastHeld = max(lastHeld ?? id, id) }

    /// The read ended before the event of `size` bytes, after `count` others, because there is no room for it.
    mutating func didCut(after count: Int, size: Int) {
        portion = max(1, count)
        roomNeeded = size
    }

    /// There was room for everything that was read.
    mutating func didTakeAll() { portion = portion.flatMap { $0 < 1 << 16 ? 2 * $0 : nil } }

    mutating func countStored() { storedSinceRead += 1 }

    /// How many events to read now; `nil` for none. Half of the memory is for what is read; reading waits until half of
    /// that is gone, so that reads are few.
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

    /// A flush does not wait for the time to read again.
    mutating func readAgain() { retryTime = nil }

    /// As ``readFailed(retryAt:)``, but what the ledger has just stored comes before.
    mutating func readAgainOnceTold(retryAt time: Duration) {
        readFailed(retryAt: time)
        awaitsOutcome = true
    }

    mutating func readFailed(retryAt time: Duration) {
        isReading = false
        retryTime = time
    }

    /// The read ended. Returns how many stored events can still be in the ledger.
    mutating func endRead(isEnd: Bool) -> Int {
        Invariant.check(isReading, "a read that ends has begun")
        isReading = false
        if isEnd && !isRestored {
            isRestored = true
            // What other processes left comes when it is taken over, and is not to be read beside that.
            if let firstOwner { didHold(EventID(owner: firstOwner, number: 0)) }
        }
        return storedSinceRead
    }

    /// When the next read is due, if it waits for nothing but the time.
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
