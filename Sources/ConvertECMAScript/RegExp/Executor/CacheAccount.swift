import ConvertConcurrency

/// Counts and limits the bytes that the pools of some patterns keep between calls.
package final class CacheAccount: Sendable {
    /// The account that all patterns of the process share.
    static let shared = CacheAccount(limit: RegExpLimits.sharedCacheBytes)

    private let limit: Int
    /// The account that counts the bytes of this account too.
    private let whole: CacheAccount?
    private let held = Atomic(0)
    /// The bytes that are kept as long as their pattern lives.
    private let lasting = Atomic(0)

    init(limit: Int, partOf whole: CacheAccount? = nil) {
        self.limit = limit
        self.whole = whole
    }

    /// Creates an account for some of the process's patterns. They may keep `limit` bytes of the process's total.
    package static func share(of limit: Int) -> CacheAccount { CacheAccount(limit: limit, partOf: .shared) }

    /// The number of bytes kept now.
    package var heldBytes: Int { held.load(ordering: .relaxed) }

    /// Adds `bytes`, which may be negative. Returns whether the total is within the limits.
    func add(_ bytes: Int) -> Bool {
        let isWithin = held.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
        return whole.map { $0.add(bytes) && isWithin } ?? isWithin
    }

    /// Adds `bytes`, which may be negative, that are kept as long as their pattern lives. Returns whether the total is
    /// within the limits, and these bytes within half of the limits. They cannot be evicted, and caches need space too.
    func addLasting(_ bytes: Int) -> Bool {
        let hasRoom = countLasting(bytes)
        return add(bytes) && hasRoom
    }

    private func countLasting(_ bytes: Int) -> Bool {
        let isWithin = lasting.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit / 2
        return whole.map { $0.countLasting(bytes) && isWithin } ?? isWithin
    }
}

/// An executor's memory that a pool keeps between calls.
protocol PooledMemory: Sendable {
    /// The size of the memory in bytes, apart from a small constant.
    var heldBytes: Int { get }
    /// Releases all memory that is not needed to continue.
    mutating func forget()
}
