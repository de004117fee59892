/// The result of an operation, for tasks that wait for it.
package final class Outcome<Value: Sendable>: Sendable {
    /// Opens when there is a result.
    package let latch = Latch()
    private let state = Mutex<Result<Value, any Error>?>(nil)

    /// Creates an instance without a result.
    package init() {}

    /// The result, if there is one.
    package var result: Result<Value, any Error>? { state.withLock { $0 } }

    /// Sets the result and resumes the waiting tasks.
    package func set(_ result: Result<Value, any Error>) {
        state.withLock { $0 = result }
        latch.open()
    }
}
