import ConvertConcurrency

/// Shows on a terminal how many rows a command has processed, and how fast.
final class RowProgress: Sendable {
    /// The time between two updates.
    private static let interval = Duration.milliseconds(200)

    private let isShown = Console.isTerminal(2)
    private let start = ContinuousClock.now
    private let lastShown = Mutex(ContinuousClock.now)

    /// Shows that `count` rows are done, unless the last update was less than an interval ago.
    func show(_ count: Int) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let isDue = lastShown.withLock { last in
            guard now - last >= Self.interval else { return false }
            last = now
            return true
        }
        if isDue {
            Console.showProgress("\(count) rows, \(Int(Double(count) / ((now - start) / .seconds(1)))) a second")
        }
    }
}
