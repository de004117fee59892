/// The uncounted visitors of an experience who had no variation under another allocation before, by their arm now.
///
/// Such a visitor had a bucket value that the other allocation left free, or did not meet the entry conditions. Without
/// reasons the log does not say which. The shares of the arms differ between the two kinds of visitors, so only the
/// least share of each arm is known.
struct UndealtBefore: Sendable {
    private struct Arm {
        var observed = 0
        /// The least expected number of visitors.
        var expected = 0.0
        /// The greatest probability that no visitor has the arm, if it is not lost.
        var absence = 1.0
    }

    /// The arms under each allocation, in the order of their first visitors. A release may lose an arm that another one
    /// has.
    private var allocations: [(number: Int, arms: [Arm])] = []

    /// Adds a visitor with `arm` under an allocation.
    ///
    /// - Parameter shares: for each arm, its least share among such visitors.
    mutating func add(_ arm: Int, under allocation: Int, leastShares shares: [Double]) {
        let place = allocations.firstIndex { $0.number == allocation } ?? allocations.count
        if place == allocations.count {
            allocations.append((allocation, Array(repeating: Arm(), count: shares.count)))
        }
        allocations[place].arms[arm].observed += 1
        for (index, share) in shares.enumerated() {
            allocations[place].arms[index].expected += share
            allocations[place].arms[index].absence *= 1 - share
        }
    }

    /// The arms that no visitor of an allocation has, although some almost certainly should, each with the least
    /// expected number.
    ///
    /// A healthy arm is among them at most once in a thousand logs, however often a growing log is tested: the number
    /// of visitors at which its absence becomes evidence depends on the allocations alone. The n-th allocation needs
    /// n(n+1) times the evidence.
    var lost: [(arm: Int, expected: Double)] {
        let found = allocations.enumerated().flatMap { order, allocation in
            allocation.arms.enumerated().filter { _, arm in
                let tests = Double((order + 1) * (order + 2))
                return arm.observed == 0 && arm.absence * tests < SampleRatioTest.threshold
            }.map { ($0, $1.expected) }
        }
        return Dictionary(found, uniquingKeysWith: +).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// The least shares of arms among visitors who had no variation before, for pairs of allocations.
struct LeastShares: Sendable {
    private struct Pair: Hashable {
        let now: Int
        let before: Int?
        let allocationCount: Int
    }

    private var shares: [Pair: [Double]] = [:]

    /// For each arm, its least share among the visitors of the allocation `now` who had no variation before.
    ///
    /// - Parameters:
    ///   - before: the allocation that gave no variation; `nil` for several allocations, which may be any of the
    ///     experience.
    ///   - all: the allocations by their numbers.
    mutating func shares(now: Int, before: Int?, of all: [AllocatedBuckets]) -> [Double] {
        let pair = Pair(now: now, before: before, allocationCount: before == nil ? all.count : 0)
        if let known = shares[pair] { return known }
        let found = all[now].leastShares(after: before.map { [all[$0]] } ?? all)
        shares[pair] = found
        return found
    }
}
