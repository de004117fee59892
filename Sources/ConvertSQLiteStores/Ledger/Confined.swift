import Dispatch

/// A value that only one serial queue accesses.
///
/// SQLite's calls wait for the disk. On this queue they block its own thread, not one of the task pool's.
// Sendable: every access to `value` is a block of the serial queue.
final class Confined<Value>: @unchecked Sendable {
    private let queue: DispatchQueue
    private var value: Value

    init(_ value: sending Value, label: String) {
        self.value = value
        queue = DispatchQueue(label: label)
    }

    /// Runs `body` on the queue, after earlier work.
    func perform<Result: Sendable>(
        _ body: @escaping @Sendable (inout Value) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(&self.value) }) }
        }
    }

    /// Runs `body` on the queue, after earlier work, without waiting for it.
    func enqueue(_ body: @escaping @Sendable (inout Value) -> Void) { queue.async { body(&self.value) } }

    /// Runs `body` on the queue, and blocks the caller's thread until it returns. Must not be called on the queue
    /// itself.
    func performAndWait<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try queue.sync { try body(&value) }
    }
}
