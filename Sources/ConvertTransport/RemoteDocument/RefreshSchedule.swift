import ConvertConcurrency

/// When a document that was fetched is fetched again.
package struct RefreshSchedule: Sendable {
    /// The shortest wait after a failure, so that a chance of zero does not ask twice in one moment.
    private static let shortestPause = Duration.milliseconds(200)
    /// The longest wait after a failure where there is no interval.
    private static let longestPause = Duration.seconds(300)

    private let interval: Duration
    private var failures = 0

    /// Every `interval` after a success; zero or less fetches until the first success only.
    package init(every interval: Duration) { self.interval = interval }

    /// Takes note of how a fetch ended.
    package mutating func fetchEnded(_ isSuccess: Bool) { failures = isSuccess ? 0 : failures + 1 }

    /// How long to wait for the next fetch; `nil` if there is to be none.
    ///
    /// After a success it is the interval give or take a tenth, so that many servers do not ask in one moment. After failures
    /// it is short at first and grows up to the interval.
    package func delay(using generator: inout some RandomNumberGenerator) -> Duration? {
        if failures > 0 {
            let backoff = Backoff(longest: interval > .zero ? interval : Self.longestPause)
            return backoff.delay(after: failures, using: &generator) + Self.shortestPause
        }
        guard interval > .zero else { return nil }
        return interval * Double.random(in: 0.9...1.1, using: &generator)
    }
}
