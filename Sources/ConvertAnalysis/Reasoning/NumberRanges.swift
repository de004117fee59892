/// A set of finite doubles, stored as separate closed ranges in ascending order.
struct NumberRanges: Equatable {
    private(set) var ranges: [ClosedRange<Double>]

    static let all = NumberRanges([-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude])

    private init(_ ranges: [ClosedRange<Double>]) { self.ranges = ranges }

    /// Creates the set of the numbers below `bound`, including `bound` if `orEqual`.
    init(below bound: Double, orEqual: Bool) {
        let last = min(orEqual ? bound : bound.nextDown, .greatestFiniteMagnitude)
        ranges = last < -.greatestFiniteMagnitude ? [] : [-Double.greatestFiniteMagnitude...last]
    }

    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ number: Double) -> Bool { ranges.contains { $0.contains(number) } }

    func intersection(_ other: NumberRanges) -> NumberRanges {
        NumberRanges(
            ranges.flatMap { left in
                other.ranges.compactMap { right in
                    let (low, high) = (
                        max(left.lowerBound, right.lowerBound), min(left.upperBound, right.upperBound)
                    )
                    return low <= high ? low...high : nil
                }
            })
    }

    var inverted: NumberRanges {
        var result: [ClosedRange<Double>] = []
        var next = -Double.greatestFiniteMagnitude
        for range in ranges {
            // Negative and positive zero compare as equal.
            if range.lowerBound > next { result.append(next...range.lowerBound.nextDown) }
            next = range.upperBound.nextUp
        }
        if next.isFinite { result.append(next...Double.greatestFiniteMagnitude) }
        return NumberRanges(result)
    }

    /// Some numbers of the set, the simplest first; empty if the set is empty.
    var samples: [Double] {
        var candidates: [Double] = [1, 0, 10, 100, -1]
        for range in ranges {
            let (low, high) = (range.lowerBound, range.upperBound)
            for bound in [low, high] {
                candidates += [bound.rounded(.up), bound.rounded(.down), bound + 1, bound - 1, bound]
            }
            candidates += [(low / 2 + high / 2), low.nextUp, high.nextDown]
        }
        // Adding zero turns negative zero into positive zero.
        return candidates.filter { $0.isFinite && contains($0) }.map { $0 + 0 }
    }

    /// Whether the set contains a number whose text has an exponent.
    var hasExponents: Bool {
        let zones = NumberRanges([
            -Double.greatestFiniteMagnitude ... -1e21, -(1e-6.nextDown) ... -Double.leastNonzeroMagnitude,
            Double.leastNonzeroMagnitude...1e-6.nextDown, 1e21...Double.greatestFiniteMagnitude,
        ])
        return !intersection(zones).isEmpty
    }
}
