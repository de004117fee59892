import Synchronization

/// Thrown by ``withDeadline(_:by:_:)``.
struct DeadlineError: Error, CustomStringConvertible {
    var description: String { "no answer within the time allowed" }
}

/// The value of `operation`, or a ``DeadlineError`` if there is none after `timeout`.
///
/// The operation is an app's own code as often as not, so it is cancelled but not waited for: one that ignores
/// cancellation holds up nothing but itself.
func withDeadline<Value: Sendable>(
    _ timeout: Duration, by time: any TimeSource, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let outcome = Outcome<Value>()
    let task = Task {
        do { outcome.set(.success(try await operation())) } catch { outcome.set(.failure(error)) }
    }
    let isDone = await outcome.latch.wait(until: time.now + timeout, by: time)
    if !isDone { task.cancel() }
    try Task.checkCancellation()
    guard let result = outcome.result else { throw DeadlineError() }
    return try result.get()
}

/// What came of an operation that others wait for.
final class Outcome<Value: Sendable>: Sendable {
    let latch = Latch()
    private let state = Mutex<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { state.withLock { $0 } }

    func set(_ result: Result<Value, any Error>) {
        state.withLock { $0 = result }
        latch.open()
    }
}
