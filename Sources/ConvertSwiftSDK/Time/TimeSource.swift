import Foundation

/// Where the SDK's parts learn the time from. Tests step it; the SDK's own runs by itself.
protocol TimeSource: Sendable {
    /// A time that never goes back, from an origin of its own.
    var now: Duration { get }
    /// The calendar's time, which may jump; only dates that a server sends are measured with it.
    var date: Date { get }
    /// Returns at `deadline`, or throws `CancellationError` before.
    func sleep(until deadline: Duration) async throws
}

/// The operating system's clocks.
struct SystemTime: TimeSource {
    private static let origin = ContinuousClock.now
    /// No sleep is longer, some 68 years: the system's timers cannot count to every deadline, and trap or come at once.
    private static let longestSleep = Duration.seconds(1 << 31)

    init() {}

    var now: Duration { ContinuousClock.now - Self.origin }

    var date: Date { Date() }

    func sleep(until deadline: Duration) async throws {
        let pause = max(Duration.zero, min(deadline - now, Self.longestSleep))
        try await Task.sleep(for: pause, clock: .continuous)
    }
}

/// The clock and the source of randomness that the SDK's parts share.
struct Surroundings: Sendable {
    /// The clock.
    let time: any TimeSource
    /// Makes a generator for one part.
    let makeGenerator: @Sendable () -> any RandomNumberGenerator & Sendable

    init(
        time: any TimeSource = SystemTime(),
        makeGenerator: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = {
            SystemRandomNumberGenerator()
        }
    ) {
        self.time = time
        self.makeGenerator = makeGenerator
    }
}
