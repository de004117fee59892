/// How far the journal has been read, and which ids this process appended.
struct JournalPosition: Sendable {
    enum Acceptance { case new, alreadyRead }

    /// Whether what an earlier process left may not be read completely.
    private(set) var isRestoring = true
    /// Events up to this id are, or were, in memory.
    private var lastHeld: Int64 = 0
    private var firstOwn: Int64?
    private var lastOwn: Int64 = 0
    private var isReading = false
    private var retryTime: Duration?
    /// Number of events that came to be only in the journal while a read was under way, and may be missing in it.
    private var storedSinceRead = 0

    /// This process appended `id`.
    mutating func didAccept(_ id: Int64) -> Acceptance {
        firstOwn = firstOwn ?? id
        lastOwn = max(lastOwn, id)
        return id <= lastHeld ? .alreadyRead : .new
    }

    /// The event with the id is in memory.
    mutating func didHold(_ id: Int64?) {
        if let id { lastHeld = max(lastHeld, id) }
    }

    mutating func countStored() { storedSinceRead += 1 }

    /// Whether `id` was appended by this process, as far as it knows.
    func isOwn(_ id: Int64) -> Bool { firstOwn.map { id >= $0 && id <= lastOwn } ?? false }

    /// How many events to read now; `nil` for none. Reading waits until half of the queue is gone, so that reads are few;
    /// what fills `tail` does not hold it up, since `tail` waits for it.
    func readLimit(in state: DeliveryState, now: Duration) -> Int? {
        guard isWanted(by: state) else { return nil }
        if let retryTime, retryTime > now { return nil }
        return max(1, min(state.policy.readLimit, state.policy.capacity - state.inMemory))
    }

    /// Returns the id to read after.
    mutating func beginRead() -> Int64 {
        isReading = true
        retryTime = nil
        storedSinceRead = 0
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
        return !isReading && ahead <= state.policy.capacity / 2
            && (isRestoring || state.stored > 0 || !state.tail.isEmpty)
    }
}

extension DeliveryState {
    /// Takes what the journal gave.
    mutating func take(
        _ events: [QueuedEvent], _ unreadable: [Int64], isEnd: Bool, _ actions: inout [Action]
    ) {
        guard journal != nil else { return }
        // What `tail` holds is not to be taken twice, and where it begins, the stored events end.
        let bound = tail.lazy.compactMap(\.journalID).first ?? Int64.max
        let isEnd = isEnd || events.contains { $0.journalID.map { $0 >= bound } ?? false }
        for event in events {
            guard let id = event.journalID, id < bound else { continue }
            countRead(id)
            enqueue(event)
        }
        let lost = unreadable.filter { $0 < bound }
        if !lost.isEmpty {
            for id in lost { countRead(id) }
            count(left: lost.count)
            tally.reject(lost.count, .unreadable)
            actions += [.report(count: lost.count, .unreadable), .forget(lost)]
        }
        let possible = journal?.endRead(isEnd: isEnd) ?? 0
        guard isEnd else { return }
        if stored > possible {
            let missing = stored - possible
            stored = possible
            count(left: missing)
            tally.reject(missing, .lostByJournal)
            actions.append(.report(count: missing, .lostByJournal))
        }
        if stored == 0 && !tail.isEmpty {
            for event in tail {
                journal?.didHold(event.journalID)
                enqueue(event)
            }
            tail = []
        }
    }

    private mutating func countRead(_ id: Int64) {
        if journal?.isOwn(id) == true && stored > 0 {
            stored -= 1
        } else {
            tally.restored += 1
            count(entered: 1)
        }
        journal?.didHold(id)
    }
}
