import ConvertConcurrency

/// How many rows a command has come through, and how fast, on a terminal.
final class RowProgress: Sendable {
    /// How often it is shown.
    private static let interval = Duration.milliseconds(200)

    private let isShown = Console.isTerminal(2)
    private let start = ContinuousClock.now
    private let lastShown = Mutex(ContinuousClock.now)

    /// Shows that `count` rows are done, unless that was shown a moment ago.
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
