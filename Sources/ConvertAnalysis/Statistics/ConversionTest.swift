internal import Foundation

/// A two-sided test of whether two conversion rates differ, before it is made: how large a difference it finds, and
/// among how many visitors.
///
///     let test = ConversionTest(baseline: 0.04, power: 0.8)
///     test?.detectableEffect(control: 10_000, variation: 10_000)   // 0.203: from 4 % to 4.81 %
///
/// The difference is Cohen's h, that of the arcsines of both rates' square roots (Statistical Power Analysis for the
/// Behavioral Sciences, 1988, chapter 6), which is normally distributed with the variance 1/n₁ + 1/n₂.
public struct ConversionTest: Sendable {
    /// The conversion rate of the control, above 0 and below 1.
    public let baseline: Double
    /// The probability with which a difference is found.
    public let power: Double
    /// The probability with which a difference is found by mistake.
    public let significance: Double

    /// How many standard deviations a difference must have, to be found with this power.
    private let distance: Double

    /// A test; `nil` unless `baseline` is above 0 and below 1, `significance` is above 0, and `power` is above
    /// `significance` and below 1.
    public init?(baseline: Double, power: Double, significance: Double = 0.05) {
        guard baseline > 0, baseline < 1, significance > 0, power > significance, power < 1 else { return nil }
        self.baseline = baseline
        self.power = power
        self.significance = significance
        let bound = NormalDistribution.upperQuantile(significance / 2)
        // Both tails count: with little power the wrong one matters.
        distance = NormalDistribution.root(in: 0...80) { distance in
            NormalDistribution.upperTail(bound - distance) + NormalDistribution.upperTail(bound + distance) - power
        }
    }

    /// The smallest rise of the conversion rate that is found, relative to the baseline: 0.1 is from 4 % to 4.4 %.
    ///
    /// - Parameters:
    ///   - control: how many visitors the control has.
    ///   - variation: how many visitors the other variation has.
    /// - Returns: the rise; `nil` if one of them has no visitors, or no rise is large enough.
    public func detectableEffect(control: Double, variation: Double) -> Double? {
        guard control > 0, variation > 0 else { return nil }
        let angle = Self.angle(baseline) + distance * (1 / control + 1 / variation).squareRoot() / 2
        guard angle < Double.pi / 2 else { return nil }
        return sin(angle) * sin(angle) / baseline - 1
    }

    /// The time until a rise is found.
    ///
    /// - Parameters:
    ///   - effect: the rise, relative to the baseline, above 0.
    ///   - control: how many new visitors the control has a day.
    ///   - variation: how many new visitors the other variation has a day.
    /// - Returns: the time in days; `nil` if one of them has no visitors, or the rate would be above 1.
    public func days(toDetect effect: Double, control: Double, variation: Double) -> Double? {
        let rate = baseline * (1 + effect)
        guard control > 0, variation > 0, effect > 0, rate <= 1 else { return nil }
        let difference = 2 * (Self.angle(rate) - Self.angle(baseline))
        return distance * distance / (difference * difference) * (1 / control + 1 / variation)
    }

    private static func angle(_ rate: Double) -> Double { asin(rate.squareRoot()) }
}
