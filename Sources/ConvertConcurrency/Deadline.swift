/// Thrown by ``withDeadline(_:by:_:)``.
package struct DeadlineError: Error, CustomStringConvertible {
    /// What happened.
    package var description: String { "no answer within the time allowed" }

    /// A time that is over.
    package init() {}
}

/// The value of `operation`, or a ``DeadlineError`` if there is none after `timeout`.
///
/// The operation is an app's own code as often as not, so it is cancelled but not waited for: one that ignores
/// cancellation holds up nothing but itself.
package func withDeadline<Value: Sendable>(
    _ timeout: Duration, by time: any TimeSource, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let outcome = Outcome<Value>()
    let task = Task {
        do { outcome.set(.success(try await operation())) } catch { outcome.set(.failure(error)) }
    }
    let isDone = await outcome.latch.wait(until: time.now + timeout, by: time)
    if !isDone { task.cancel() }
    // A result that came with the cancellation is one.
    if let result = outcome.result { return try result.get() }
    try Task.checkCancellation()
    throw DeadlineError()
}
