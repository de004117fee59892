import ConvertAnalysis
import Testing

struct ConversionTestTests {
    @Test(arguments: StatsmodelsAnswers.effects.indices)
    func theDetectableEffectIsThatOfStatsmodels(index: Int) throws {
        let answer = StatsmodelsAnswers.effects[index]
        let test = try #require(
            ConversionTest(baseline: answer.baseline, power: answer.power, significance: answer.significance))
        let effect = try #require(
            test.detectableEffect(control: answer.control, variation: answer.control * answer.ratio))
        // The solver of statsmodels stops at about this precision; its numbers of visitors are more precise.
        #expect(abs(effect / answer.effect - 1) < 2e-4, "\(effect), not \(answer.effect)")
        // The test by unpooled variances is another one, and agrees within 1 %.
        #expect(abs(effect * answer.baseline / answer.unpooledDifference - 1) < 0.01)
    }

    @Test(arguments: StatsmodelsAnswers.sizes.indices)
    func theNumberOfVisitorsIsThatOfStatsmodels(index: Int) throws {
        let answer = StatsmodelsAnswers.sizes[index]
        let test = try #require(
            ConversionTest(baseline: answer.baseline, power: answer.power, significance: answer.significance))
        let days = try #require(test.days(toDetect: answer.effect, control: 100, variation: 100 * answer.ratio))
        #expect(abs(days * 100 / answer.control - 1) < 1e-6, "\(days * 100), not \(answer.control)")
        #expect(abs(days * 100 / answer.unpooledControl - 1) < 0.01)
    }

    @Test func theDetectableEffectMatchesTheNumberOfDays() throws {
        let test = try #require(ConversionTest(baseline: 0.07, power: 0.9))
        let days = try #require(test.days(toDetect: 0.13, control: 300, variation: 120))
        let effect = try #require(test.detectableEffect(control: 300 * days, variation: 120 * days))
        #expect(abs(effect - 0.13) < 1e-9)
    }

    @Test func anImpossibleTestDetectsNoEffect() throws {
        let test = try #require(ConversionTest(baseline: 0.9, power: 0.8))
        #expect(test.detectableEffect(control: 10, variation: 10) == nil)
        #expect(test.detectableEffect(control: 0, variation: 10) == nil)
        #expect(test.days(toDetect: 0.2, control: 10, variation: 10) == nil)
        #expect(test.days(toDetect: 0.1, control: 10, variation: 0) == nil)
        #expect(test.days(toDetect: 0, control: 10, variation: 10) == nil)
    }

    @Test(arguments: [
        (0.0, 0.8, 0.05), (1, 0.8, 0.05), (0.1, 1, 0.05), (0.1, 0.05, 0.05), (0.1, 0.8, 0), (.nan, 0.8, 0.05),
    ])
    func anInvalidTestIsRefused(baseline: Double, power: Double, significance: Double) {
        #expect(ConversionTest(baseline: baseline, power: power, significance: significance) == nil)
    }
}

/// What statsmodels 0.15.0 answers: `NormalIndPower().solve_power` with `proportion_effectsize`, two-sided; and for the
/// unpooled figures the roots of `power_proportions_2indep`.
enum StatsmodelsAnswers {
    static let effects:
        [(
            baseline: Double, power: Double, significance: Double, control: Double, ratio: Double, effect: Double,
            unpooledDifference: Double
        )] = [
            (0.04, 0.8, 0.05, 10000, 1, 0.20308635980347178, 0.00813123820155417),
            (0.04, 0.8, 0.05, 50000, 1, 0.0886042148213535, 0.003544929106196519),
            (0.04, 0.9, 0.05, 50000, 0.25, 0.16481452998905177, 0.006626615888928144),
            (0.1, 0.8, 0.05, 2500, 1, 0.2500243506718951, 0.02503428766059901),
            (0.5, 0.8, 0.05, 1000, 1, 0.12496280805266302, 0.06248600940651663),
            (0.01, 0.95, 0.01, 200000, 2, 0.11828818012343922, 0.0011807389186543182),
            (0.25, 0.5, 0.1, 4000, 3, 0.05241625680955875, 0.013048652719306187),
            (0.002, 0.8, 0.05, 1000000, 1, 0.09046798886947105, 0.0001809617252396267),
            (0.9, 0.8, 0.05, 5000, 1, 0.0179693904403182, 0.016185355658051053),
            (0.04, 0.2, 0.05, 10000, 1, 0.07863416066473694, 0.0031464443229381463),
            (0.6, 0.99, 0.001, 20000, 0.5, 0.055729826262892246, 0.03342065871795857),
        ]

    static let sizes:
        [(
            baseline: Double, effect: Double, power: Double, significance: Double, ratio: Double, control: Double,
            unpooledControl: Double
        )] = [
            (0.04, 0.1, 0.8, 0.05, 1, 39454.063716014934, 39474.665073937336),
            (0.04, 0.05, 0.8, 0.05, 1, 154282.33355406247, 154303.49434066637),
            (0.1, 0.02, 0.9, 0.05, 0.5, 715530.9366917071, 715980.9958193137),
            (0.5, 0.1, 0.8, 0.01, 1, 2327.9920018874823, 2328.5153663639753),
            (0.01, 0.2, 0.95, 0.05, 3, 47026.292782346034, 46911.82443509325),
            (0.25, 0.5, 0.8, 0.05, 1, 213.87460288264234, 214.66103594843742),
            (0.3, 0.02, 0.3, 0.1, 1, 14508.968667510615, 14509.633056916142),
            (0.002, 0.1, 0.8, 0.05, 1, 821933.8541815679, 822398.5008987813),
        ]
}
