import ConvertConcurrency

/// Determines when a document is fetched again.
package struct RefreshSchedule: Sendable {
    /// The minimum wait after a failure, so that a random wait of zero does not cause two requests at once.
    private static let shortestPause = Duration.milliseconds(200)
    /// The maximum wait after a failure if there is no interval.
    private static let longestPause = Duration.seconds(300)

    private let interval: Duration
    private var failures = 0

    /// Creates a schedule that fetches every `interval` after a success. With zero or less it stops after the first
    /// success.
    package init(every interval: Duration) { self.interval = interval }

    /// Records the end of a fetch.
    package mutating func fetchEnded(_ isSuccess: Bool) { failures = isSuccess ? 0 : failures + 1 }

    /// The wait before the next fetch; `nil` if there is no next fetch.
    ///
    /// After a success it is the interval plus or minus a tenth, so that many servers do not send requests at the same
    /// time. After failures it is short at first, and grows up to the interval.
    package func delay(using generator: inout some RandomNumberGenerator) -> Duration? {
        if failures > 0 {
            let backoff = Backoff(longest: interval > .zero ? interval : Self.longestPause)
            return backoff.delay(after: failures, using: &generator) + Self.shortestPause
        }
        guard interval > .zero else { return nil }
        return interval * Double.random(in: 0.9...1.1, using: &generator)
    }
}
