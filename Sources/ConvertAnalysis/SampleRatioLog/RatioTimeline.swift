/// When the evidence against an experience's allocation rose, and when its configs came, by day.
struct RatioTimeline: Sendable {
    /// How many days are told apart.
    private static let mostDays = 4_000

    /// For each day the largest wealth until its last line.
    private(set) var evidence: [String: Double] = [:]
    /// For each config the first day with a visitor who was decided by it.
    private(set) var firstDays: [Int: String] = [:]
    /// Whether days follow each other in the log as in the calendar.
    private(set) var isInOrder = true
    private var day = ""
    private var config = -1
    private var largest = 0.0

    /// Adds a visitor on `day` who was decided by `config`. After this visitor, `largest` is the largest wealth so far.
    ///
    /// - Returns: whether the day is counted. A visitor without a day is not, nor one on a day beyond the limit.
    mutating func add(day: String, config: Int, _ largest: Double) -> Bool {
        if day.isEmpty { return false }
        if day == self.day, config == self.config, largest == self.largest { return true }
        let isNew = evidence[day] == nil
        if isNew, evidence.count >= Self.mostDays { return false }
        if day < self.day { isInOrder = false }
        if firstDays[config].map({ day < $0 }) ?? true { firstDays[config] = day }
        evidence[day] = largest
        (self.day, self.config, self.largest) = (day, config, largest)
        return true
    }

    /// For each of the days, in the order of the calendar, the probability of all visitors until its end.
    func probabilities(_ days: [String]) -> [Double] {
        var largest = 0.0
        return days.map { day in
            largest = max(largest, evidence[day] ?? 0)
            return RatioProcess.probability(largest)
        }
    }
}
