/// Decides when keeping the states of a lazy DFA does not pay: the cache fills up again before they were of use.
struct StateReuse: Sendable {
    private var clearings: Int
    /// Where the cache was cleared last, and the transitions computed since then.
    private var position = 0
    private var computed = 0
    private var units = Self.leastUnits

    /// Between two clearings, units consumed per transition computed, below which keeping states does not pay.
    private static let worthwhileReuse = 4

    /// Units to consume without keeping states once that does not pay, and twice as many each time it does not again.
    private static let leastUnits = 4_096

    /// For a run that starts when the cache has been cleared `clearings` times.
    init(clearings: Int) { self.clearings = clearings }

    /// Counts a transition computed before `position`, when the cache has been cleared `clearings` times. Returns how many
    /// units should be consumed without keeping states, 0 mostly.
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
