import ConvertConcurrency
import ConvertTestSupport
import Foundation

@testable import ConvertSwiftSDK

/// A journal that takes its time for each page.
final class SlowJournal: EventJournal {
    let inner: ListJournal
    let clock: StepClock
    let pause: Duration
    private let ends = Mutex<[Duration]>([])

    init(_ inner: ListJournal, clock: StepClock, pause: Duration) {
        self.inner = inner
        self.clock = clock
        self.pause = pause
    }

    /// Lets the time go on to the end of a page, unless one that is due has not been read yet, however long that takes.
    func endPause() {
        let end = ends.withLock { $0.min() }
        if let end, end > clock.now { clock.advance(by: end - clock.now) }
    }

    func append(_ records: [Data]) throws -> [Int64] { try inner.append(records) }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        let end = clock.now + pause
        ends.withLock { $0.append(end) }
        defer {
            ends.withLock { ends in
                if let index = ends.firstIndex(of: end) { ends.remove(at: index) }
            }
        }
        try await clock.sleep(until: end)
        return try await inner.events(after: id, limit: limit)
    }

    func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
}

/// A journal of which nothing can be read until it is told otherwise.
final class UnreadableJournal: EventJournal {
    let inner: ListJournal
    let isReadable = Atomic(false)

    init(_ inner: ListJournal) { self.inner = inner }

    func append(_ records: [Data]) throws -> [Int64] { try inner.append(records) }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        guard isReadable.load(ordering: .relaxed) else { throw Failure() }
        return try await inner.events(after: id, limit: limit)
    }

    func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
}

/// A journal whose calls do not return, deaf to cancellation.
final class HangingJournal: EventJournal {
    let inner: ListJournal
    private let calls = Mutex((reads: 0, removals: 0))
    private let gate = Latch()

    init(_ inner: ListJournal) { self.inner = inner }

    var count: (reads: Int, removals: Int) { calls.withLock { $0 } }

    func append(_ records: [Data]) throws -> [Int64] { try inner.append(records) }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        let isFirst = calls.withLock { calls in
            calls.reads += 1
            return calls.reads <= 2
        }
        // The first read of each reader is answered.
        if !isFirst { _ = await Task.detached { [gate] in await gate.wait() }.value }
        return try await inner.events(after: id, limit: limit)
    }

    func remove(_ ids: [Int64]) async throws {
        calls.withLock { $0.removals += 1 }
        _ = await Task.detached { [gate] in await gate.wait() }.value
    }

    func letGo() { gate.open() }
}

/// A store that does not answer for one visitor, deaf to cancellation.
final class HangingStore: VisitorStore {
    let inner: GatedStore
    let hanging: String
    let gate = Latch()
    private let calls = Atomic(0)

    init(inner: GatedStore, hanging: String) {
        self.inner = inner
        self.hanging = hanging
    }

    var count: Int { calls.load(ordering: .relaxed) }

    func load(_ key: String) async throws -> VisitorState? {
        if key == hanging {
            calls.wrappingAdd(1, ordering: .relaxed)
            _ = await Task.detached { [gate] in await gate.wait() }.value
        }
        return try await inner.load(key)
    }

    func save(_ changes: VisitorState, for key: String) async throws { try await inner.save(changes, for: key) }
}

/// A journal that tells how many bytes were read from it at once.
final class MeteredJournal: EventJournal {
    let inner: ListJournal
    let most = Mutex(0)

    init(_ inner: ListJournal) { self.inner = inner }

    func append(_ records: [Data]) throws -> [Int64] { try inner.append(records) }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        let page = try await inner.events(after: id, limit: limit)
        most.withLock { $0 = max($0, page.reduce(0) { $0 + $1.record.count }) }
        return page
    }

    func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
}

/// A store that cannot read the record of one visitor, or cannot save it.
struct PatchyStore: VisitorStore {
    let inner: GatedStore
    var unreadable: String?
    var unwritable: String?

    func load(_ key: String) async throws -> VisitorState? {
        if key == unreadable { throw Failure() }
        return try await inner.load(key)
    }

    func save(_ changes: VisitorState, for key: String) async throws {
        if key == unwritable { throw Failure() }
        try await inner.save(changes, for: key)
    }
}
