/// Compares counts of variations with the allocation of each visitor's own config, in a test that holds at every look.
///
/// Each visitor multiplies a wealth by q/p of the variation: p is what the visitor's config allocates, and q a guess
/// that follows from the visitors before. Whatever the guess, the wealth is a martingale while p is right, so that by
/// Ville's inequality (1939) it exceeds 1/α with a chance of at most α, however often one looks and however often
/// allocations change. The guess multiplies each p by (κp + observed) / (κp + expected). With one config, the guess is
/// the predictive distribution of Lindon and Malek, "Anytime-Valid Inference for Multinomial Count Data" (NeurIPS
/// 2022), and the wealth is its Bayes factor. Betting with guesses from past visitors follows Waudby-Smith and Ramdas,
/// "Estimating means of bounded random variables by betting" (JRSS B 2024). The mean over four κ is a martingale too.
struct RatioProcess: Sendable {
    /// The number of visitors of each arm.
    private(set) var observed: [Double]
    /// The expected number of visitors of each arm: the sum of the allocations of the visitors' configs.
    private(set) var expected: [Double]
    /// The number of visitors.
    private(set) var count = 0
    /// The wealth for each κ.
    private var wealths = SIMD4<Double>(repeating: 1)
    /// The largest mean wealth so far.
    private(set) var largest = 1.0

    /// The values of κ.
    private static let strengths = SIMD4(SampleRatioTest.priorStrengths)
    /// The minimum wealth, so that it can grow again. It adds a negligible chance of error.
    private static let smallest = 1e-300

    init(arms: Int) {
        observed = Array(repeating: 0, count: arms)
        expected = observed
    }

    /// The mean wealth.
    var wealth: Double { wealths.sum() / 4 }

    /// The probability of ever seeing as much evidence if the shares are right. It never rises.
    var p: Double { Self.probability(largest) }

    /// The probability for a largest mean wealth.
    static func probability(_ largest: Double) -> Double { 1 / max(1, largest) }

    /// Whether the counts have contradicted the shares at any time.
    var isMismatch: Bool { p < SampleRatioTest.threshold }

    /// The effect of adding a visitor.
    struct Addition {
        /// The gained mean wealth.
        let gain: Double
        /// Whether the test becomes a mismatch with this visitor.
        let isBreak: Bool
    }

    /// Adds a visitor with the variation `arm`, whose config allocates `shares`, which sum to 1.
    @discardableResult
    mutating func add(_ arm: Int, _ shares: [Double]) -> Addition {
        let before = wealth
        count += 1
        if shares[arm] > 0 { bet(on: arm, shares) } else { wealths = SIMD4(repeating: .infinity) }
        observed[arm] += 1
        for place in shares.indices { expected[place] += shares[place] }
        let wealth = wealth
        guard wealth > largest else { return Addition(gain: wealth - before, isBreak: false) }
        let wasMismatch = isMismatch
        largest = wealth
        return Addition(gain: wealth - before, isBreak: !wasMismatch && isMismatch)
    }

    /// Multiplies the wealths.
    private mutating func bet(on arm: Int, _ shares: [Double]) {
        var sum = SIMD4<Double>()
        var own = SIMD4<Double>(repeating: 1)
        for place in shares.indices where shares[place] > 0 {
            let prior = Self.strengths * shares[place]
            let weight = (prior + observed[place]) / (prior + expected[place])
            sum += shares[place] * weight
            if place == arm { own = weight }
        }
        wealths = pointwiseMax(wealths * (own / sum), SIMD4(repeating: Self.smallest))
    }
}
