/// The verdict on counts and their expected shares.
public enum SampleRatioVerdict: String, Sendable, Codable, CaseIterable {
    /// The counts agree with the shares.
    case agrees
    /// The evidence is not sufficient for either verdict.
    case notEnoughEvidence
    /// The counts contradict the shares.
    case mismatch

    /// The smallest probability at which counts agree with their shares, if no smallest relevant difference is set.
    public static let agreement = 0.05

    /// The two-sided normal quantile of ``SampleRatioTest/threshold``.
    private static let quantile = 3.290_526_731_491_926

    /// Creates the verdict on counts.
    ///
    /// Without a smallest difference, counts agree if the probability is at least ``agreement``, and contradict the
    /// shares if it is below ``SampleRatioTest/threshold``. With a smallest difference, counts agree if a 99.9 %
    /// interval around each observed share (Wald's, with the variance of the expected share) lies within that
    /// difference of the expected one. They contradict the shares if the probability is below the threshold and some
    /// share differs by at least that difference.
    ///
    /// - Parameters:
    ///   - result: the result of the test.
    ///   - counts: the counts, one for each share.
    ///   - shares: the shares, which sum to 1.
    ///   - minDifference: the smallest relevant difference of a share, from 0 to 1.
    init(_ result: SampleRatioTest.Result, counts: [Int], shares: [Double], minDifference: Double?) {
        self.init(p: result.p, counts: counts.map(Double.init), shares: shares, minDifference: minDifference)
    }

    /// Creates the verdict for a probability that is corrected for the number of tests.
    init(adjustedP p: Double) {
        self = p < SampleRatioTest.threshold ? .mismatch : p >= Self.agreement ? .agrees : .notEnoughEvidence
    }

    /// The verdict in words.
    package var words: String {
        switch self {
        case .agrees: "as allocated"
        case .notEnoughEvidence: "not enough evidence"
        case .mismatch: "mismatch"
        }
    }

    /// Creates the verdict as ``init(_:counts:shares:minDifference:)`` does, for the probability `p`.
    init(p: Double, counts: [Double], shares: [Double], minDifference: Double?) {
        let isMismatch = p < SampleRatioTest.threshold
        let total = counts.reduce(0, +)
        let isWhereNothingIsExpected = zip(counts, shares).contains { $0 > 0 && $1 == 0 }
        guard let minDifference, total > 0, !isWhereNothingIsExpected else {
            self.init(adjustedP: p)
            return
        }
        let differences = zip(counts, shares).map { abs($0 / total - $1) }
        let bounds = zip(differences, shares).map { $0 + Self.quantile * ($1 * (1 - $1) / total).squareRoot() }
        if isMismatch, differences.contains(where: { $0 >= minDifference }) {
            self = .mismatch
        } else {
            self = bounds.allSatisfy { $0 < minDifference } ? .agrees : .notEnoughEvidence
        }
    }
}
