#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Where the SDK's parts learn the time from. Tests step it; the SDK's own runs by itself.
package protocol TimeSource: Sendable {
    /// A time that never goes back, from an origin of its own.
    var now: Duration { get }
    /// The calendar's time, which may jump; only dates that a server sends are measured with it.
    var date: Date { get }
    /// Returns at `deadline`, or throws `CancellationError` before.
    func sleep(until deadline: Duration) async throws
    /// Returns after about `pause`, so that what comes meanwhile is done together. Nothing but speed depends on it: where time
    /// is stepped it returns at once.
    func rest(for pause: Duration) async
}

extension TimeSource {
    package func rest(for pause: Duration) async {}
}
