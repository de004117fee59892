/// Records which events happened and when, for the mobile rules engine.
///
/// Only fingerprints and times are stored, never the events. While the engine evaluates an event, it asks for each
/// look-up once. It records occurrences afterwards. Its other events wait during these calls, so they must be quick: a
/// store that uses a network needs a cache in memory.
///
/// ``InMemoryEventHistory`` is the default. The product `ConvertSQLiteStores` has a history that persists.
/// Implementations must be safe to call from any thread. After a failed look-up, a historical condition compares -1. A
/// failed record is reported to the engine's observer, and a consequence that requires it is skipped.
public protocol EventHistory: Sendable {
    /// Records one occurrence, and applies the store's retention limits.
    ///
    /// Recording the same fingerprint again for the same millisecond changes nothing.
    /// - Parameters:
    ///   - fingerprint: the event. The engine never records `EventFingerprint.none`; a store may ignore it.
    ///   - time: the time in milliseconds since 1970.
    /// - Throws: if the occurrence could not be stored.
    func record(_ fingerprint: EventFingerprint, at time: Int64) throws

    /// Records one occurrence if the event did not happen earlier, between 1970 and `time`. The engine calls this
    /// method for consequences that must happen only once.
    ///
    /// The default implementation looks up first and then records. A store that several processes share should do both
    /// in one step, like `ConvertSQLiteStores`. Otherwise two processes can both receive `true`.
    ///
    /// - Returns: whether the occurrence was new.
    /// - Throws: if the store cannot determine whether the occurrence is new, or cannot record it. Nothing is recorded
    ///   then.
    func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool

    /// Returns how often the event happened within `window`, and its first and last time there.
    ///
    /// - Parameters:
    ///   - fingerprint: the event to look up.
    ///   - window: milliseconds since 1970, both ends inclusive.
    /// - Throws: if the store cannot be read. An event without occurrences is not an error.
    func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> EventOccurrences

    /// Removes the event's occurrences within `window`, and returns how many there were.
    ///
    /// - Throws: if the store could not be changed.
    @discardableResult
    func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int
}

extension EventHistory {
    /// Looks up first and then records.
    public func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool {
        if time >= 0, try occurrences(of: fingerprint, in: 0...time).count > 0 { return false }
        try record(fingerprint, at: time)
        return true
    }
}

/// How often an event happened within a window of time.
public struct EventOccurrences: Sendable, Equatable {
    /// No occurrences.
    public static let none = EventOccurrences(count: 0, times: nil)

    /// The number of occurrences.
    public let count: Int
    /// The first and the last time, in milliseconds since 1970; `nil` if there are no occurrences.
    public let times: ClosedRange<Int64>?

    /// Creates a value for `count` occurrences, the first and the last at the ends of `times`. If the count is 0 or
    /// negative, or the times are `nil`, the value has no occurrences.
    public init(count: Int, times: ClosedRange<Int64>?) {
        self.count = times == nil ? 0 : max(count, 0)
        self.times = count > 0 ? times : nil
    }
}

/// The retention limits of an event history. They are applied whenever an occurrence is recorded. The oldest
/// occurrences are removed first.
public struct EventHistoryRetention: Sendable, Equatable {
    /// The maximum number of occurrences, of all events together. Values below 1 become 1.
    public var maximumCount: Int { didSet { maximumCount = max(maximumCount, 1) } }
    /// The maximum age of occurrences, in milliseconds before the recorded time; `nil` means no limit, and a negative
    /// value becomes 0.
    ///
    /// The age is measured from the recorded time even if newer occurrences exist. A clock that once ran ahead
    /// therefore removes no later occurrences. Occurrences may be kept a tenth longer than the maximum age. If the
    /// recorded time is later than all other occurrences by more than the maximum age, nothing is removed until the
    /// next record, because the time may be wrong.
    public var maximumAge: Int64? { didSet { maximumAge = maximumAge.map { max($0, 0) } } }

    /// Creates limits, by default 100,000 occurrences of any age.
    public init(maximumCount: Int = 100_000, maximumAge: Int64? = nil) {
        self.maximumCount = max(maximumCount, 1)
        self.maximumAge = maximumAge.map { max($0, 0) }
    }

    /// The time before which occurrences must be removed when an occurrence is recorded at `time`; `nil` if none has
    /// to be removed now. The oldest occurrence may exceed the maximum age by a tenth, so that not every record
    /// traverses all occurrences.
    ///
    /// - Parameters:
    ///   - time: the recorded time.
    ///   - oldest: the time of the oldest occurrence.
    ///   - newestBefore: the time of the newest other occurrence.
    package func expiry(at time: Int64, oldest: Int64, newestBefore: Int64) -> Int64? {
        guard let maximumAge else { return nil }
        let (leap, isLeapHuge) = time.subtractingReportingOverflow(newestBefore)
        if time > newestBefore, isLeapHuge || leap > maximumAge { return nil }
        let (limit, overflows) = time.subtractingReportingOverflow(maximumAge)
        guard !overflows, limit > oldest else { return nil }
        let (excess, isHuge) = limit.subtractingReportingOverflow(oldest)
        return isHuge || excess > maximumAge / 10 ? limit : nil
    }
}
