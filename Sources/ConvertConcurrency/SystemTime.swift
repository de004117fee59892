#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The operating system's clocks.
package struct SystemTime: TimeSource {
    private static let origin = ContinuousClock.now
    /// The maximum duration of one sleep, about 68 years: the system's timers trap or fire immediately for later
    /// deadlines.
    private static let longestSleep = Duration.seconds(1 << 31)

    /// Creates an instance.
    package init() {}

    /// The time since the property was first read.
    package var now: Duration { ContinuousClock.now - Self.origin }

    /// The calendar time.
    package var date: Date { Date() }

    /// Returns at `deadline`, or throws `CancellationError` before.
    package func sleep(until deadline: Duration) async throws {
        let pause = max(Duration.zero, min(deadline - now, Self.longestSleep))
        try await Task.sleep(for: pause, clock: .continuous)
    }

    /// Returns after about `pause`, or when the task is cancelled.
    package func rest(for pause: Duration) async { try? await sleep(until: now + pause) }
}
