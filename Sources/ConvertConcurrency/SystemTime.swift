#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The operating system's clocks.
package struct SystemTime: TimeSource {
    private static let origin = ContinuousClock.now
    /// No sleep is longer, some 68 years: the system's timers cannot count to every deadline, and trap or come at once.
    private static let longestSleep = Duration.seconds(1 << 31)

    /// The clocks.
    package init() {}

    /// The time since the first look at it.
    package var now: Duration { ContinuousClock.now - Self.origin }

    /// The calendar's time.
    package var date: Date { Date() }

    /// Returns at `deadline`, or throws `CancellationError` before.
    package func sleep(until deadline: Duration) async throws {
        let pause = max(Duration.zero, min(deadline - now, Self.longestSleep))
        try await Task.sleep(for: pause, clock: .continuous)
    }

    /// Returns after about `pause`, or when the task is cancelled.
    package func rest(for pause: Duration) async { try? await sleep(until: now + pause) }
}
