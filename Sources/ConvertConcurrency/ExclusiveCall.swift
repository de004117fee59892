/// Calls an app's own code, one call at a time, each with a time limit.
///
/// A call that exceeded its limit and has not returned delays later calls. Code that never returns is therefore called
/// only once, however often a call is attempted.
package final class ExclusiveCall: Sendable {
    /// Opens when the current call returns.
    private let underWay = Mutex<Latch?>(nil)

    /// Creates an instance without a current call.
    package init() {}

    /// Returns the value of `operation`, like ``withDeadline(_:by:_:)``. `timeout` includes the wait for an earlier
    /// call.
    package func run<Value: Sendable>(
        within timeout: Duration, by time: any TimeSource, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withDeadline(timeout, by: time) { [self] in
            let end = try await begin()
            defer {
                underWay.withLock { $0 = nil }
                end.open()
            }
            return try await operation()
        }
    }

    private func begin() async throws -> Latch {
        let end = Latch()
        while true {
            let earlier = underWay.withLock { underWay in
                defer { underWay = underWay ?? end }
                return underWay
            }
            guard let earlier else { return end }
            guard await earlier.wait() else { throw CancellationError() }
        }
    }
}
