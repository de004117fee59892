/// When the evidence against an experience's allocation rose, and when its configs came, by day.
struct RatioTimeline: Sendable {
    /// How many days are told apart: what stands for a day in a log may be any text.
    private static let mostDays = 4_000

    /// For each day the largest logarithm of the wealth until its last line.
    private(set) var evidence: [String: Double] = [:]
    /// For each config the day on which a visitor was first decided by it.
    private(set) var firstDays: [Int: String] = [:]
    /// Whether days follow each other in the log as in the calendar.
    private(set) var isInOrder = true
    private var day = ""
    private var config = -1
    private var largest = 0.0

    /// Adds a visitor's line, after which the logarithm of the wealth has been `largest` at most.
    ///
    /// - Returns: whether the line's day is counted; it is not if there is none, or there are too many.
    mutating func add(_ line: LogRatioLine, _ largest: Double) -> Bool {
        if line.day.isEmpty { return false }
        if line.day == day, line.config == config, largest == self.largest { return true }
        let isNew = evidence[line.day] == nil
        if isNew, evidence.count >= Self.mostDays { return false }
        if line.day < day { isInOrder = false }
        if firstDays[line.config] == nil { firstDays[line.config] = line.day }
        evidence[line.day] = largest
        (day, config, self.largest) = (line.day, line.config, largest)
        return true
    }

    /// For each of the days, in the order of the calendar, the probability of all visitors until its end.
    func probabilities(_ days: [String]) -> [Double] {
        var process = 0.0
        return days.map { day in
            process = max(process, evidence[day] ?? 0)
            return RatioProcess.probability(process)
        }
    }
}
