internal import ConvertConcurrency

/// Where tallies of parts are added up.
final class SimulationSink: Sendable {
    private let sum: Mutex<SimulationTally>
    private let didCount: @Sendable (Int) -> Void

    init(_ plan: SimulationPlan, _ didCount: @escaping @Sendable (Int) -> Void) {
        sum = Mutex(SimulationTally(plan))
        self.didCount = didCount
    }

    /// The sum so far.
    var tally: SimulationTally { sum.withLock { $0 } }

    /// Adds the tally of the next part.
    func take(_ tally: SimulationTally) {
        let count = sum.withLock { sum in
            sum.add(tally)
            return sum.visitorCount
        }
        didCount(count)
    }
}

/// Cuts the numbers below a count into parts.
final class PartCounter: Sendable {
    private let position = Mutex(0)
    private let count: Int
    private let length: Int

    init(count: Int, length: Int) {
        self.count = count
        self.length = length
    }

    /// The next part; `nil` at the end.
    func next() -> Range<Int>? {
        position.withLock { start in
            guard start < count else { return nil }
            let end = min(count, start + length)
            defer { start = end }
            return start..<end
        }
    }
}
