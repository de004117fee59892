import ConvertConcurrency

/// How far the journal has been read, and which ids this process appended.
struct JournalPosition: Sendable {
    enum Acceptance {
        case new, alreadyRead
        /// The id is none that a journal may give now.
        case outOfOrder
    }

    /// Whether what an earlier process left may not be read completely.
    private(set) var isRestoring = true
    /// Events up to this id are, or were, in memory.
    private var lastHeld: Int64 = 0
    private var firstOwn: Int64?
    private var newestOwn: Int64 = 0
    /// Whether a read is under way.
    private(set) var isReading = false
    private var retryTime: Duration?
    /// The last events that were read and taken for ones that an earlier process left, the newest last. They can be ones
    /// whose tracking is not over: those of one call at most.
    private var restored: [Int64] = []
    /// How many events to ask for, as it is not known how large they are, or those read before were too large for the memory;
    /// `nil` for the policy's number.
    private var portion: Int? = 16
    /// The size of the event for which there was no room in memory at the last read.
    private var roomNeeded = 0
    /// Number of events that came to be only in the journal while a read was under way, and may be missing in it.
    private var storedSinceRead = 0

    /// The last id that this process appended.
    var lastOwn: Int64? { firstOwn == nil ? nil : newestOwn }

    /// This process appended `id`, in one step with others, of which `following` are yet to be accepted.
    mutating func didAccept(_ id: Int64, following: Int) -> Acceptance {
        // Only one step is appended and not accepted at a time, so that its ids are the last that can have been read.
        guard id > newestOwn, id > lastHeld || restored.suffix(following + 1).contains(id) else { return .outOfOrder }
        firstOwn = firstOwn ?? id
        newestOwn = id
        return id <= lastHeld ? .alreadyRead : .new
    }

    /// Whether no event with the id is, or was, in memory.
    func isUnread(_ id: Int64) -> Bool { id > lastHeld }

    mutating func didRestore(_ id: Int64) {
        if restored.count >= 2 * Self.restoredLimit { restored.removeFirst(Self.restoredLimit) }
        restored.append(id)
    }

    /// More than one step appends.
    private static let restoredLimit = 10_000

    /// What was read up to `id` is in memory, or is no event.
    mutating func didPass(_ id: Int64) { lastHeld = max(lastHeld, id) }

    /// The read ended before the event of `size` bytes, after `count` others, because there is no room for it.
    mutating func didCut(after count: Int, size: Int) {
        portion = max(1, count)
        roomNeeded = size
    }

    /// There was room for everything that was read.
    mutating func didTakeAll() { portion = portion.flatMap { $0 < 1 << 16 ? 2 * $0 : nil } }

    /// The event with the id is in memory.
    mutating func didHold(_ id: Int64?) {
        if let id { lastHeld = max(lastHeld, id) }
    }

    mutating func countStored() { storedSinceRead += 1 }

    /// Whether `id` was appended by this process, as far as it knows.
    func isOwn(_ id: Int64) -> Bool { firstOwn.map { id >= $0 && id <= newestOwn } ?? false }

    /// How many rows to read now; `nil` for none. Half of the memory is for what is read; reading waits until half of that is
    /// gone, so that reads are few. What fills `tail` does not hold it up, since `tail` waits for it.
    func readLimit(in state: DeliveryState, now: Duration) -> Int? {
        guard isWanted(by: state) else { return nil }
        if let retryTime, retryTime > now { return nil }
        let room = state.window - state.queue.count - state.inFlight.count
        return max(1, min(portion ?? .max, state.policy.readLimit, room))
    }

    /// Returns the id to read after.
    mutating func beginRead() -> Int64 {
        isReading = true
        retryTime = nil
        storedSinceRead = 0
        roomNeeded = 0
        return lastHeld
    }

    /// A flush does not wait for the time to read again.
    mutating func readAgain() { retryTime = nil }

    mutating func readFailed(retryAt time: Duration) {
        isReading = false
        retryTime = time
    }

    /// The read ended. Returns how many stored events can still be in the journal.
    mutating func endRead(isEnd: Bool) -> Int {
        isReading = false
        if isEnd { isRestoring = false }
        return storedSinceRead
    }

    /// When the next read is due, if it waits for nothing but the time.
    func retryTime(in state: DeliveryState) -> Duration? { isWanted(by: state) ? retryTime : nil }

    private func isWanted(by state: DeliveryState) -> Bool {
        let ahead = state.queue.count + state.inFlight.count
        let hasRoom =
            state.bytes - state.tailBytes <= state.policy.byteCapacity / 4
            && roomNeeded <= state.policy.byteCapacity - state.bytes
        return !isReading && (ahead == 0 || ahead <= state.window / 2 && hasRoom)
            && (isRestoring || state.stored > 0 || !state.tail.isEmpty)
    }
}
