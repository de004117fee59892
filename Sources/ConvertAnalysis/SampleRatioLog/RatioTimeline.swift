/// The evidence against an experience's allocation by day, and the first days of its configs.
struct RatioTimeline: Sendable {
    /// The maximum number of distinct days.
    private static let mostDays = 4_000

    /// For each day, the largest wealth up to its last line.
    private(set) var evidence: [String: Double] = [:]
    /// For each config, the first day with a visitor that it decided.
    private(set) var firstDays: [Int: String] = [:]
    /// Whether the days in the log are in calendar order.
    private(set) var isInOrder = true
    private var day = ""
    private var config = -1
    private var largest = 0.0

    /// Adds a visitor on `day` that `config` decided, after which `largest` is the largest wealth so far.
    ///
    /// - Returns: whether the day counts. It does not if it is empty, or beyond the limit of days.
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

    /// For each of the days, in calendar order, the probability for all visitors up to its end.
    func probabilities(_ days: [String]) -> [Double] {
        var largest = 0.0
        return days.map { day in
            largest = max(largest, evidence[day] ?? 0)
            return RatioProcess.probability(largest)
        }
    }
}
