#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The clock of the SDK's components. Tests advance it in steps; in production it is the system's.
package protocol TimeSource: Sendable {
    /// A time that never goes back, measured from its own origin.
    var now: Duration { get }
    /// The calendar time, which may jump. It is used only to measure dates sent by a server.
    var date: Date { get }
    /// Returns at `deadline`, or throws `CancellationError` before.
    func sleep(until deadline: Duration) async throws
    /// Returns after about `pause`, so that work that arrives meanwhile is batched. It affects only speed: if tests
    /// advance the time in steps, it returns immediately.
    func rest(for pause: Duration) async
}

extension TimeSource {
    package func rest(for pause: Duration) async {}
}
