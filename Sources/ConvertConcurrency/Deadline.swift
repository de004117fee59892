/// Thrown by ``withDeadline(_:by:_:)``.
package struct DeadlineError: Error, CustomStringConvertible {
    /// The description of the error.
    package var description: String { "no answer within the time allowed" }

    /// Creates the error.
    package init() {}
}

/// Returns the value of `operation`, or throws a ``DeadlineError`` after `timeout`.
///
/// The operation is often an app's own code, so it is cancelled, but not waited for: an operation that ignores
/// cancellation delays only itself.
package func withDeadline<Value: Sendable>(
    _ timeout: Duration, by time: any TimeSource, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let outcome = Outcome<Value>()
    let task = Task {
        do { outcome.set(.success(try await operation())) } catch { outcome.set(.failure(error)) }
    }
    let isDone = await outcome.latch.wait(until: time.now + timeout, by: time)
    if !isDone { task.cancel() }
    // A result that arrives together with the cancellation still counts.
    if let result = outcome.result { return try result.get() }
    try Task.checkCancellation()
    throw DeadlineError()
}
