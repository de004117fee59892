/// Where the mobile rules engine remembers which events happened and when.
///
/// Only fingerprints and times are stored, never the events. The engine asks during the evaluation of an event, the same
/// question once, and records after it, so both must be quick: a store that works over a network belongs behind a cache in memory.
///
/// ``InMemoryEventHistory`` is the default; the product `ConvertSQLiteStores` has one that survives a restart.
/// Implementations are safe to call from any thread. A failed look-up makes a historical condition see -1; a failed record
/// is reported to the engine's observer and otherwise without effect. Both are called while the engine's other events wait.
public protocol EventHistory: Sendable {
    /// Remembers one occurrence and applies the store's retention limits.
    ///
    /// Recording the same fingerprint for the same millisecond again changes nothing.
    /// - Parameters:
    ///   - fingerprint: what happened. The engine never records ``EventFingerprint/none``; a store may ignore it.
    ///   - time: when, in milliseconds since 1970.
    /// - Throws: if the occurrence could not be stored.
    func record(_ fingerprint: EventFingerprint, at time: Int64) throws

    /// Remembers one occurrence if the event did not happen before, between 1970 and `time`: what is to be shown once is
    /// shown to whoever gets `true`.
    ///
    /// By default it looks first and records then. A store that several processes share should do it in one step, as
    /// `ConvertSQLiteStores` does, or two of them may both be told that it was new.
    /// - Returns: whether it was new.
    /// - Throws: if that cannot be found out. Then nothing is remembered.
    func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool

    /// Returns how often the event happened within `window`, and its first and last time there.
    ///
    /// - Parameters:
    ///   - fingerprint: what is looked for.
    ///   - window: milliseconds since 1970, both ends included.
    /// - Throws: if the store cannot be read; what it does not hold is no error.
    func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> EventOccurrences

    /// Forgets the event's occurrences within `window` and returns how many there were.
    ///
    /// - Throws: if the store could not be changed.
    @discardableResult
    func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int
}

extension EventHistory {
    /// Looks first and records then.
    public func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool {
        if time >= 0, try occurrences(of: fingerprint, in: 0...time).count > 0 { return false }
        try record(fingerprint, at: time)
        return true
    }
}

/// How often an event happened within a window of time.
public struct EventOccurrences: Sendable, Equatable {
    /// Nothing found.
    public static let none = EventOccurrences(count: 0, times: nil)

    /// The number of occurrences.
    public let count: Int
    /// The first and the last one, in milliseconds since 1970; `nil` if there is none.
    public let times: ClosedRange<Int64>?

    /// `count` occurrences whose first and last are the ends of `times`. Without a count or times there is none.
    public init(count: Int, times: ClosedRange<Int64>?) {
        self.count = times == nil ? 0 : max(count, 0)
        self.times = count > 0 ? times : nil
    }
}

/// How much an event history keeps. Applied whenever something is recorded; the oldest occurrences go first.
public struct EventHistoryRetention: Sendable, Equatable {
    /// The most occurrences kept, of all events together; at least 1, which a smaller number becomes.
    public var maximumCount: Int { didSet { maximumCount = max(maximumCount, 1) } }
    /// Occurrences older than this are dropped: milliseconds before the time that is recorded, whichever is the newest, so
    /// that a clock that once ran ahead costs no later ones. They may stay a tenth of it longer, and until the next record
    /// if this one is later than all others by more than the age: a single time from the future makes nothing old. A
    /// negative age becomes 0; `nil` keeps them however old.
    public var maximumAge: Int64? { didSet { maximumAge = maximumAge.map { max($0, 0) } } }

    /// Limits: 100,000 occurrences of any age, unless said otherwise.
    public init(maximumCount: Int = 100_000, maximumAge: Int64? = nil) {
        self.maximumCount = max(maximumCount, 1)
        self.maximumAge = maximumAge.map { max($0, 0) }
    }

    /// The time before which occurrences are to go now that one is recorded at `time`, or `nil` as long as the oldest is not
    /// a tenth too old: going through them all is not worth it for each record.
    ///
    /// - Parameter newestBefore: the newest occurrence besides this one.
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
