/// A set of finite doubles: closed ranges, ascending and apart.
struct NumberRanges: Equatable {
    private(set) var ranges: [ClosedRange<Double>]

    static let all = NumberRanges([-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude])
    static let none = NumberRanges([])

    private init(_ ranges: [ClosedRange<Double>]) { self.ranges = ranges }

    /// The numbers below `bound`, or not above it.
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
            // Zero has two signs, which compare alike.
            if range.lowerBound > next { result.append(next...range.lowerBound.nextDown) }
            next = range.upperBound.nextUp
        }
        if next.isFinite { result.append(next...Double.greatestFiniteMagnitude) }
        return NumberRanges(result)
    }

    /// Some numbers of the set, the plainest first; none if it is empty.
    var samples: [Double] {
        var candidates: [Double] = [1, 0, 10, 100, -1]
        for range in ranges {
            let (low, high) = (range.lowerBound, range.upperBound)
            for bound in [low, high] {
                candidates += [bound.rounded(.up), bound.rounded(.down), bound + 1, bound - 1, bound]
            }
            candidates += [(low / 2 + high / 2), low.nextUp, high.nextDown]
        }
        // Adding zero makes negative zero positive.
        return candidates.filter { $0.isFinite && contains($0) }.map { $0 + 0 }
    }

    /// Whether some number of the set is spelled with an exponent.
    var hasExponents: Bool {
        let zones = NumberRanges([
            -Double.greatestFiniteMagnitude ... -1e21, -(1e-6.nextDown) ... -Double.leastNonzeroMagnitude,
            Double.leastNonzeroMagnitude...1e-6.nextDown, 1e21...Double.greatestFiniteMagnitude,
        ])
        return !intersection(zones).isEmpty
    }
}
