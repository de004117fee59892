internal import Foundation

/// A test of whether counts agree with their expected shares.
///
///     let test = SampleRatioTest(shares: [0.5, 0.5])
///     test.result(for: [5000, 5250])?.p
public struct SampleRatioTest: Sendable {
    /// The method of computing a probability.
    public enum Method: String, Sendable, Codable, CaseIterable {
        /// Pearson's χ² test, for large counts.
        case pearson
        /// The exact multinomial test, over all outcomes that are at most as likely as the counts.
        case exact
        /// The anytime-valid test of Lindon and Malek, "Anytime-Valid Inference for Multinomial Count Data" (NeurIPS
        /// 2022), with the mean of its Bayes factors over four strengths of the prior. It may be repeated while counts
        /// come in, and detects large deviations among few visitors as well as small ones among many.
        case sequential
    }

    /// The result of a test.
    public struct Result: Sendable, Equatable {
        /// The method of computing ``p``.
        public let method: Method
        /// Pearson's statistic; infinite if a count is above 0 although its share is 0.
        public let chiSquare: Double
        /// The number of shares above 0, less one.
        public let degreesOfFreedom: Int
        /// The probability of counts at least as far from the shares, if the shares are right. For the sequential test,
        /// the probability of ever seeing as much evidence.
        public let p: Double
        /// The expected counts.
        public let expected: [Double]

        /// Whether the counts contradict the shares: ``p`` is below ``SampleRatioTest/threshold``.
        public var isMismatch: Bool { p < SampleRatioTest.threshold }
    }

    /// The probability below which counts contradict their shares.
    public static let threshold = 0.001

    /// The smallest expected count for which Pearson's test is used.
    static let smallCount = 5.0
    /// The maximum number of arms in the exact test.
    static let armLimit = 100
    /// The maximum number of outcomes in the exact test.
    static let outcomeLimit = 2_000_000
    /// The concentrations of the sequential test's priors around the shares, as numbers of visitors. The highest one
    /// detects small deviations in large experiments, and the lowest one an arm without visitors.
    static let priorStrengths = [10.0, 100, 1_000, 10_000]

    /// The shares, which sum to 1.
    public let shares: [Double]

    /// Creates a test with shares in proportion to `shares`, which must be finite, not negative, and not all zero;
    /// otherwise `nil`.
    public init?(shares: [Double]) {
        let sum = shares.reduce(0, +)
        guard sum > 0, sum.isFinite, shares.allSatisfy({ $0 >= 0 }) else { return nil }
        self.shares = shares.map { $0 / sum }
    }

    /// Tests counts.
    ///
    /// - Parameters:
    ///   - counts: the counts, one for each share.
    ///   - isSequential: whether the result must hold although counts are tested repeatedly.
    /// - Returns: the result; `nil` if the number of counts differs from that of shares, a count is negative, or all
    ///   are zero.
    public func result(for counts: [Int], isSequential: Bool = false) -> Result? {
        guard counts.count == shares.count, counts.allSatisfy({ $0 >= 0 }) else { return nil }
        let total = counts.reduce(0.0) { $0 + Double($1) }
        guard total > 0 else { return nil }
        let expected = shares.map { $0 * total }
        let chiSquare = zip(counts, expected).reduce(0) { sum, pair in
            let (count, expected) = (Double(pair.0), pair.1)
            if expected == 0 { return count > 0 ? .infinity : sum }
            return sum + (count - expected) * (count - expected) / expected
        }
        let degrees = shares.count { $0 > 0 } - 1
        func result(_ method: Method, _ p: Double) -> Result {
            Result(
                method: method, chiSquare: chiSquare, degreesOfFreedom: degrees, p: min(1, max(0, p)),
                expected: expected)
        }
        if isSequential { return result(.sequential, sequentialProbability(of: counts)) }
        if let p = exactProbability(of: counts, expected) { return result(.exact, p) }
        let groups = pooled(counts, expected)
        if !chiSquare.isFinite || groups.count > degrees {
            return result(.pearson, Self.chiSquareTail(chiSquare, degreesOfFreedom: degrees))
        }
        let pooledChiSquare = groups.reduce(0) { $0 + $1.chiSquare }
        // A single group contains all visitors, so it cannot be compared.
        let p = groups.count > 1 ? Self.chiSquareTail(pooledChiSquare, degreesOfFreedom: groups.count - 1) : 1
        return Result(
            method: .pearson, chiSquare: pooledChiSquare, degreesOfFreedom: groups.count - 1, p: p, expected: expected)
    }

    /// The arms with traffic. Arms with the smallest expected counts are combined until each group is large enough for
    /// Pearson's test (Cochran 1954).
    private func pooled(_ counts: [Int], _ expected: [Double]) -> [Group] {
        var groups: [Group] = []
        let arms = zip(counts, expected).filter { $1 > 0 }.sorted { $0.1 < $1.1 }
        for (count, expected) in arms {
            if let last = groups.last, last.expected < Self.smallCount {
                groups[groups.count - 1] = Group(count: last.count + count, expected: last.expected + expected)
            } else {
                groups.append(Group(count: count, expected: expected))
            }
        }
        return groups
    }

    /// Arms that are tested as one.
    private struct Group {
        let count: Int
        let expected: Double
        var chiSquare: Double { (Double(count) - expected) * (Double(count) - expected) / expected }
    }

    /// The probability that a χ² variable is at least `value`.
    public static func chiSquareTail(_ value: Double, degreesOfFreedom: Int) -> Double {
        if degreesOfFreedom < 1 { return value > 0 ? 0 : 1 }
        return GammaFunctions.upperRegularized(Double(degreesOfFreedom) / 2, value / 2)
    }

    /// One over the mean of the Bayes factors of Dirichlet alternatives around the shares (Lindon and Malek 2022,
    /// theorem 2.1). Under the shares each factor is a martingale that begins with 1, and so is their mean. By Ville's
    /// inequality (1939), the probability that the result is ever below α is at most α.
    private func sequentialProbability(of counts: [Int]) -> Double {
        if zip(counts, shares).contains(where: { $0 > 0 && $1 == 0 }) { return 0 }
        let logFactors = Self.priorStrengths.map { logBayesFactor(of: counts, strength: $0) }
        return exp(-Self.logMean(ofExponentials: logFactors))
    }

    /// The logarithm of the Bayes factor of a Dirichlet alternative with parameters `strength` times the shares.
    ///
    /// For large counts the logarithms of Γ differ only in their last digits, so subtracting them would lose precision.
    /// Stirling's formula is used instead, without the terms that cancel.
    private func logBayesFactor(of counts: [Int], strength: Double) -> Double {
        let total = counts.reduce(0.0) { $0 + Double($1) }
        let sum = strength + total
        var logFactor = GammaFunctions.logGamma(strength) - GammaFunctions.stirlingError(sum)
        // Half of the logarithm of the factor that each further arm adds.
        logFactor += 0.5 * log(sum / (2 * Double.pi))
        for (count, share) in zip(counts, shares) where share > 0 {
            let prior = strength * share
            let difference = Double(count) - share * total
            let logRatio = log1p(difference / (share * sum))
            logFactor += (prior + Double(count)) * logRatio - difference - 0.5 * logRatio
            logFactor += (prior - 0.5) * log(share) - 0.5 * log(sum / (2 * Double.pi))
            logFactor += GammaFunctions.stirlingError(prior + Double(count)) - GammaFunctions.logGamma(prior)
        }
        return logFactor
    }

    /// The logarithm of the mean of eˣ, without computing eˣ, which may be too large.
    static func logMean(ofExponentials logs: [Double]) -> Double {
        guard let largest = logs.max(), largest.isFinite else { return logs.max() ?? 0 }
        return largest + log(logs.reduce(0) { $0 + exp($1 - largest) } / Double(logs.count))
    }
}
