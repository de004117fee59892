import Dispatch

/// A value that only one serial queue touches.
///
/// SQLite's calls wait for the disk. Made here, they block a thread of this queue and none of those that all tasks
/// share.
// Sendable: every access to `value` is a block of the serial queue.
final class Confined<Value>: @unchecked Sendable {
    private let queue: DispatchQueue
    private var value: Value

    init(_ value: sending Value, label: String) {
        self.value = value
        queue = DispatchQueue(label: label)
    }

    /// Runs `body` after what was asked for before.
    func perform<Result: Sendable>(
        _ body: @escaping @Sendable (inout Value) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(&self.value) }) }
        }
    }

    /// Runs `body` some time later.
    func enqueue(_ body: @escaping @Sendable (inout Value) -> Void) { queue.async { body(&self.value) } }

    /// Runs `body` and waits for it. The calling thread must not be one of the queue's, or one that tasks share.
    func performAndWait<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try queue.sync { try body(&value) }
    }
}
