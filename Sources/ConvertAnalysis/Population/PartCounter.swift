internal import ConvertConcurrency

/// Divides the numbers below a count into parts.
final class PartCounter: Sendable {
    private let position = Mutex(0)
    private let count: Int
    private let length: Int

    init(count: Int, length: Int) {
        self.count = count
        self.length = length
    }

    /// The next part; `nil` at the end.
    func next() -> Range<Int>? {
        position.withLock { start in
            guard start < count else { return nil }
            let end = min(count, start + length)
            defer { start = end }
            return start..<end
        }
    }
}
