import Synchronization

/// Counts from one.
final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// A list that grows from anywhere.
final class Log<Entry: Sendable>: Sendable {
    private let list = Mutex<[Entry]>([])

    var entries: [Entry] { list.withLock { $0 } }

    func append(_ entry: Entry) { list.withLock { $0.append(entry) } }

    func append(contentsOf entries: [Entry]) { list.withLock { $0 += entries } }
}
