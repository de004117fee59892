/// What came of an operation that others wait for.
package final class Outcome<Value: Sendable>: Sendable {
    /// Opens once there is a result.
    package let latch = Latch()
    private let state = Mutex<Result<Value, any Error>?>(nil)

    /// No result yet.
    package init() {}

    /// The result, if there is one.
    package var result: Result<Value, any Error>? { state.withLock { $0 } }

    /// Makes `result` the one, and lets those go on that wait.
    package func set(_ result: Result<Value, any Error>) {
        state.withLock { $0 = result }
        latch.open()
    }
}
