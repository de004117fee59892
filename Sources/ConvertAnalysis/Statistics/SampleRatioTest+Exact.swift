internal import Foundation

extension SampleRatioTest {
    /// The exact probability of small counts; `nil` if χ² is as good, or if there are too many arms or outcomes.
    func exactProbability(of counts: [Int], _ expected: [Double]) -> Double? {
        guard expected.contains(where: { $0 > 0 && $0 < Self.smallCount }) else { return nil }
        if zip(counts, shares).contains(where: { $0 > 0 && $1 == 0 }) { return 0 }
        let arms = zip(counts, shares).filter { $1 > 0 }
        let total = counts.reduce(0, +)
        guard arms.count <= Self.armLimit, Self.outcomeCount(total, among: arms.count) != nil else { return nil }
        let logShares = arms.map { log($0.1) }
        // Logarithms of factorials in a table, because each outcome reads several.
        var logFactorials = [0.0]
        for n in stride(from: 1, through: total, by: 1) { logFactorials.append(logFactorials[n - 1] + log(Double(n))) }
        let observed = zip(arms, logShares).reduce(logFactorials[total]) { sum, arm in
            sum + Double(arm.0.0) * arm.1 - logFactorials[arm.0.0]
        }
        var outcomes = Outcomes(
            logShares: logShares, logFactorials: logFactorials, limit: observed + Self.tieTolerance)
        outcomes.visit(arm: 0, left: total, logProbability: logFactorials[total])
        return outcomes.sum
    }

    /// The relative difference of likelihoods below which outcomes count as equally likely, because it is a rounding
    /// error.
    private static let tieTolerance = 1e-7

    /// The number of ways to distribute `total` visitors among `arms`; `nil` if there are too many to enumerate.
    private static func outcomeCount(_ total: Int, among arms: Int) -> Int? {
        // The binomial coefficient of total + arms - 1 over arms - 1.
        var count = 1.0
        for arm in stride(from: 1, to: arms, by: 1) {
            count *= Double(total + arm) / Double(arm)
            if count > Double(outcomeLimit) { return nil }
        }
        return Int(count.rounded())
    }
}

/// Enumerates all distributions of visitors among arms.
private struct Outcomes {
    let logShares: [Double]
    let logFactorials: [Double]
    /// The logarithm of the largest likelihood that counts.
    let limit: Double
    var sum = 0.0

    /// Visits the distributions among the arms from `arm` on. The recursion has one level for each arm, at most
    /// ``SampleRatioTest/armLimit``.
    mutating func visit(arm: Int, left: Int, logProbability: Double) {
        if arm == logShares.count - 1 {
            let total = logProbability + Double(left) * logShares[arm] - logFactorials[left]
            if total <= limit { sum += exp(total) }
            return
        }
        for count in 0...left {
            visit(
                arm: arm + 1, left: left - count,
                logProbability: logProbability + Double(count) * logShares[arm] - logFactorials[count])
        }
    }
}
