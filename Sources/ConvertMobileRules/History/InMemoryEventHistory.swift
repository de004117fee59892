internal import ConvertECMAScript
internal import ConvertConcurrency

/// An event history in memory. It is lost when the process ends.
///
/// Safe to call from any thread. A look-up takes time logarithmic in the number of the event's occurrences. Removing
/// occurrences takes time linear to the number of events.
public final class InMemoryEventHistory: EventHistory {
    private let retention: EventHistoryRetention
    private let state = Mutex(State())

    /// Creates an empty history with retention limits.
    public init(retention: EventHistoryRetention = EventHistoryRetention()) { self.retention = retention }

    /// The number of occurrences kept.
    public var count: Int { state.withLock { $0.count } }

    /// Records one occurrence; never throws.
    public func record(_ fingerprint: EventFingerprint, at time: Int64) {
        guard fingerprint != .none else { return }
        state.withLock { state in
            guard state.insert(fingerprint, time) else { return }
            state.apply(retention, at: time)
        }
    }

    /// Records one occurrence if the event did not happen earlier; never throws.
    public func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) -> Bool {
        guard fingerprint != .none else { return true }
        return state.withLock { state in
            let known = state.times[fingerprint].map { times in
                time >= 0 && !times.indices(in: 0...time).isEmpty
            }
            if known == true { return false }
            if state.insert(fingerprint, time) { state.apply(retention, at: time) }
            return true
        }
    }

    /// Returns how often the event happened within `window`; never throws.
    public func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> EventOccurrences {
        state.withLock { state in
            guard let times = state.times[fingerprint] else { return .none }
            let found = times[times.indices(in: window)]
            guard let first = found.first, let last = found.last else { return .none }
            return EventOccurrences(count: found.count, times: first...last)
        }
    }

    /// Removes the event's occurrences within `window`; never throws.
    @discardableResult
    public func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> Int {
        state.withLock { state in
            guard var times = state.times[fingerprint] else { return 0 }
            let removed = times.indices(in: window)
            times.removeSubrange(removed)
            state.times[fingerprint] = times.isEmpty ? nil : times
            state.count -= removed.count
            state.findNewest()
            return removed.count
        }
    }
}

private struct State {
    /// Ascending times without duplicates, per event.
    var times: [EventFingerprint: [Int64]] = [:]
    var count = 0
    /// All occurrences are at this time or later.
    var oldest = Int64.max
    /// The newest occurrence, and the second newest.
    var newest = Int64.min
    var secondNewest = Int64.min

    /// Adds one time. Returns `false` if it already exists.
    mutating func insert(_ fingerprint: EventFingerprint, _ time: Int64) -> Bool {
        guard times[fingerprint, default: []].insertSorted(time) else { return false }
        count += 1
        oldest = min(oldest, time)
        secondNewest = max(min(newest, time), secondNewest)
        newest = max(newest, time)
        return true
    }

    mutating func apply(_ retention: EventHistoryRetention, at time: Int64) {
        let newestBefore = count == 1 ? time : secondNewest
        if let limit = retention.expiry(at: time, oldest: oldest, newestBefore: newestBefore) {
            removeAll(before: limit)
        }
        guard count > retention.maximumCount else { return }
        // A tenth of the limit is removed in addition, so that all occurrences are sorted again only after as many
        // records.
        let kept = retention.maximumCount - retention.maximumCount / 10
        let all = times.values.joined().sorted()
        let first = all[all.count - kept]
        removeAll(before: first)
        // Occurrences of several events may be in the first millisecond that is kept.
        for (fingerprint, times) in times where count > kept && times.first == first {
            self.times[fingerprint] = times.count == 1 ? nil : Array(times.dropFirst())
            count -= 1
        }
    }

    /// Determines the two newest times again.
    mutating func findNewest() {
        let newest = times.values.flatMap { $0.suffix(2) }.sorted().suffix(2)
        self.newest = newest.last ?? .min
        secondNewest = newest.count == 2 ? newest[newest.startIndex] : .min
    }

    private mutating func removeAll(before first: Int64) {
        count = 0
        oldest = .max
        for (fingerprint, times) in times {
            let kept = Array(times[times.firstIndex(atOrAfter: first)...])
            self.times[fingerprint] = kept.isEmpty ? nil : kept
            count += kept.count
            oldest = min(oldest, kept.first ?? .max)
        }
    }
}

extension [Int64] {
    /// Index of the first element that is at least `time`. The array must be ascending.
    fileprivate func firstIndex(atOrAfter time: Int64) -> Int { indices.partitioningIndex { self[$0] >= time } }

    /// Inserts `time` in order. Returns `false` if it already exists.
    fileprivate mutating func insertSorted(_ time: Int64) -> Bool {
        let index = firstIndex(atOrAfter: time)
        if index < count, self[index] == time { return false }
        insert(time, at: index)
        return true
    }

    fileprivate func indices(in window: ClosedRange<Int64>) -> Range<Int> {
        let start = firstIndex(atOrAfter: window.lowerBound)
        let end = window.upperBound == .max ? count : firstIndex(atOrAfter: window.upperBound + 1)
        return start..<Swift.max(start, end)
    }
}
