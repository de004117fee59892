import ConvertConcurrency

/// Counts the bytes that the pools of some patterns keep between calls, and bounds them.
package final class CacheAccount: Sendable {
    /// What all patterns of the process share.
    static let shared = CacheAccount(limit: RegExpLimits.sharedCacheBytes)

    private let limit: Int
    /// The account that also counts what this one does.
    private let whole: CacheAccount?
    private let held = Atomic(0)
    /// Those of them that are kept for as long as their pattern lives.
    private let lasting = Atomic(0)

    init(limit: Int, partOf whole: CacheAccount? = nil) {
        self.limit = limit
        self.whole = whole
    }

    /// An account of some of the process's patterns, which may keep `limit` bytes of what all of them may keep.
    package static func share(of limit: Int) -> CacheAccount { CacheAccount(limit: limit, partOf: .shared) }

    /// The bytes kept at the moment.
    package var heldBytes: Int { held.load(ordering: .relaxed) }

    /// Counts `bytes` more, or fewer if they are negative. Returns whether all that is kept is within the limits.
    func add(_ bytes: Int) -> Bool {
        let isWithin = held.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
        return whole.map { $0.add(bytes) && isWithin } ?? isWithin
    }

    /// Counts `bytes` more, or fewer, that are kept for as long as their pattern lives. Returns whether all that is kept is
    /// within the limits, and such bytes within half of them: nothing pushes these out, and caches need room, too.
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
    /// Bytes that it takes, apart from a few that it always takes.
    var heldBytes: Int { get }
    /// Gives back what is not needed to go on.
    mutating func forget()
}
