/// Some of the bucket values of an experience.
struct BucketSet: Hashable, Sendable {
    /// The values as ranges, in order, none of which touches another.
    private(set) var ranges: [Range<Int>]

    /// All values.
    static let all = BucketSet([0..<BucketRuns.count])

    /// The values of ranges that do not overlap.
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

    /// How many values there are.
    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    func contains(_ value: Int) -> Bool { ranges.contains { $0.contains(value) } }

    /// The values of both.
    func intersection(_ other: BucketSet) -> BucketSet {
        BucketSet(ranges.flatMap { range in other.ranges.map { range.clamped(to: $0) } })
    }

    /// The values that it does not have.
    var complement: BucketSet {
        let edges = [0] + ranges.flatMap { [$0.lowerBound, $0.upperBound] } + [BucketRuns.count]
        return BucketSet(stride(from: 0, to: edges.count, by: 2).map { edges[$0]..<edges[$0 + 1] })
    }
}
