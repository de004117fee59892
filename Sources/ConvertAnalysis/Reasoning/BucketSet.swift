/// A set of an experience's bucket values.
struct BucketSet: Hashable, Sendable {
    /// The values as ascending ranges that do not touch each other.
    private(set) var ranges: [Range<Int>]

    /// The set of all values.
    static let all = BucketSet([0..<BucketRuns.count])

    /// Creates the set of the values in ranges that do not overlap.
    init(_ ranges: [Range<Int>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = self.ranges.last, last.upperBound >= range.lowerBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ value: Int) -> Bool { ranges.contains { $0.contains(value) } }

    /// The values in both sets.
    func intersection(_ other: BucketSet) -> BucketSet {
        BucketSet(ranges.flatMap { range in other.ranges.map { range.clamped(to: $0) } })
    }

    /// The values that are not in the set.
    var complement: BucketSet {
        let edges = [0] + ranges.flatMap { [$0.lowerBound, $0.upperBound] } + [BucketRuns.count]
        return BucketSet(stride(from: 0, to: edges.count, by: 2).map { edges[$0]..<edges[$0 + 1] })
    }
}
