public import ConvertSwiftSDKCore

/// Keeps visitors in memory: up to a number of them, the least recently used ones leave first.
///
/// An SDK without a store of its own remembers visitors in the same way. This store is for several SDKs in one process
/// that share visitors, and for tests. Safe to use from any thread; every call takes constant time on average.
public final class InMemoryVisitorStore: VisitorStore {
    private let memory: VisitorMemory

    /// A store without visitors.
    /// - Parameter capacity: how many visitors it keeps, 1 or more.
    public init(capacity: Int = 10_000) { memory = VisitorMemory(capacity: max(1, capacity)) }

    /// The record stored under `key`. It never fails.
    public func load(_ key: String) async throws -> VisitorState? { memory.record(PropertyKey(key)) }

    /// Merges `changes` over the record under `key`. It never fails.
    public func save(_ changes: VisitorState, for key: String) async throws {
        memory.update(PropertyKey(key)) { $0 = $0.merging(changes) }
    }
}
