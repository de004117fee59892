internal import Foundation

/// The standard normal distribution.
enum NormalDistribution {
    /// The probability of a value above `x`.
    static func upperTail(_ x: Double) -> Double { erfc(x / 2.0.squareRoot()) / 2 }

    /// The value that is exceeded with the probability `p`, which must be above 0 and below 1.
    static func upperQuantile(_ p: Double) -> Double { root(in: -40...40) { p - upperTail($0) } }

    /// The root of a rising function, with the precision of `Double`.
    static func root(in range: ClosedRange<Double>, of function: (Double) -> Double) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        while true {
            let middle = low + (high - low) / 2
            if middle <= low || middle >= high { return middle }
            if function(middle) < 0 { low = middle } else { high = middle }
        }
    }
}
