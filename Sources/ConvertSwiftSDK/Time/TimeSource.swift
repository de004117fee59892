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

    init() {}

    var now: Duration { ContinuousClock.now - Self.origin }

    var date: Date { Date() }

    func sleep(until deadline: Duration) async throws {
        try await Task.sleep(until: Self.origin + deadline, clock: .continuous)
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
