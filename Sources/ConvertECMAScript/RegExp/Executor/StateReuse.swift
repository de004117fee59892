/// Decides when caching the states of a lazy DFA is not worthwhile, because the cache fills up before states are
/// reused.
struct StateReuse: Sendable {
    private var clearings: Int
    /// The position at which the cache was last cleared, and the transitions computed since then.
    private var position = 0
    private var computed = 0
    private var units = Self.leastUnits

    /// Caching is worthwhile if at least this many units are consumed per computed transition between two clearings.
    private static let worthwhileReuse = 4

    /// The number of units to consume without caching, the first time that caching is not worthwhile. The number
    /// doubles every further time.
    private static let leastUnits = 4_096

    /// Creates a counter for a run that starts after the cache was cleared `clearings` times.
    init(clearings: Int) { self.clearings = clearings }

    /// Counts a transition computed before `position`, after the cache was cleared `clearings` times. Returns the
    /// number of units to consume without caching, usually 0.
    mutating func noteTransition(clearings: Int, at position: Int) -> Int {
        computed += 1
        guard clearings != self.clearings else { return 0 }
        let pays = computed * Self.worthwhileReuse <= position - self.position
        let result = pays ? 0 : units
        units = pays ? Self.leastUnits : 2 * units
        self = StateReuse(clearings: clearings, position: position + result, units: units)
        return result
    }

    private init(clearings: Int, position: Int, units: Int) {
        self.clearings = clearings
        self.position = position
        self.units = units
    }
}
