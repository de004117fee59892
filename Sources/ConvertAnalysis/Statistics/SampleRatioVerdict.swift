/// What counts say of the shares that they should have.
public enum SampleRatioVerdict: String, Sendable, Codable, CaseIterable {
    /// The counts agree with the shares.
    case agrees
    /// The counts are too few to tell, or neither here nor there.
    case notEnoughEvidence
    /// The counts disagree with the shares.
    case mismatch

    /// From this probability on counts agree with their shares, if no smallest difference is given.
    public static let agreement = 0.05

    /// The two-sided normal quantile of ``SampleRatioTest/threshold``.
    private static let quantile = 3.290_526_731_491_926

    /// The verdict on counts.
    ///
    /// Without a smallest difference counts agree if the probability is at least ``agreement``, and disagree if it is
    /// below ``SampleRatioTest/threshold``. With one, they agree if every share differs by less than it, as far as an
    /// interval of 99.9 % around what was observed tells (Wald's, with the variance of the expected share), and
    /// disagree if the probability is below the threshold and some share differs by as much.
    ///
    /// - Parameters:
    ///   - result: what the test says.
    ///   - counts: the counts, one for each share.
    ///   - shares: the shares, which sum to 1.
    ///   - minDifference: the smallest difference of a share that matters, from 0 to 1.
    init(_ result: SampleRatioTest.Result, counts: [Int], shares: [Double], minDifference: Double?) {
        self.init(p: result.p, counts: counts.map(Double.init), shares: shares, minDifference: minDifference)
    }

    /// The verdict on a probability that was corrected for the number of tests.
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

    /// As ``init(_:counts:shares:minDifference:)``, for the probability `p`.
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
