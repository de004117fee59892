import ConvertConcurrency

/// A list that grows from anywhere.
package final class Log<Entry: Sendable>: Sendable {
    private let list = Mutex<[Entry]>([])

    /// No entries.
    package init() {}

    /// What was appended, in order.
    package var entries: [Entry] { list.withLock { $0 } }

    /// Adds `entry`.
    package func append(_ entry: Entry) { list.withLock { $0.append(entry) } }

    /// Adds `entries` in their order.
    package func append(contentsOf entries: [Entry]) { list.withLock { $0 += entries } }
}
