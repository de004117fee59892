package import Foundation

/// Where the SDK's parts learn the time from. Tests step it; the SDK's own runs by itself.
package protocol TimeSource: Sendable {
    /// A time that never goes back, from an origin of its own.
    var now: Duration { get }
    /// The calendar's time, which may jump; only dates that a server sends are measured with it.
    var date: Date { get }
    /// Returns at `deadline`, or throws `CancellationError` before.
    func sleep(until deadline: Duration) async throws
}
