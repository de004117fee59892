/// Calls of an app's own code, one at a time, each within a time limit.
///
/// A call that was given up and has not returned holds further ones back, so that code which never returns is called once,
/// however often that is tried.
package final class ExclusiveCall: Sendable {
    /// Opens when the call that is under way returns.
    private let underWay = Mutex<Latch?>(nil)

    /// Nothing is under way.
    package init() {}

    /// The value of `operation`, as ``withDeadline(_:by:_:)`` has it. `timeout` includes the wait for an earlier call.
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
