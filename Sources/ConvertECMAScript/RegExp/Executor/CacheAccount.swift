import ConvertConcurrency

/// Counts the bytes that the pools of all patterns keep between calls, and bounds them.
final class CacheAccount: Sendable {
    /// What all patterns of the process share.
    static let shared = CacheAccount(limit: RegExpLimits.sharedCacheBytes)

    private let limit: Int
    private let held = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// The bytes kept at the moment.
    var heldBytes: Int { held.load(ordering: .relaxed) }

    /// Counts `bytes` more, or fewer if they are negative. Returns whether all that is kept is within the limit.
    func add(_ bytes: Int) -> Bool { held.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit }
}

/// An executor's memory that a pool keeps between calls.
protocol PooledMemory: Sendable {
    /// Bytes that it takes, apart from a few that it always takes.
    var heldBytes: Int { get }
    /// Gives back what is not needed to go on.
    mutating func forget()
}
