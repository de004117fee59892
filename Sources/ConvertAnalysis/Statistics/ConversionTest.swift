internal import Foundation

/// The plan of a two-sided test for a difference of two conversion rates: the difference that it detects, and the
/// number of visitors that it needs.
///
///     let test = ConversionTest(baseline: 0.04, power: 0.8)
///     test?.detectableEffect(control: 10_000, variation: 10_000)   // 0.203: from 4 % to 4.81 %
///
/// The difference is Cohen's h, that of the arcsines of both rates' square roots (Statistical Power Analysis for the
/// Behavioral Sciences, 1988, chapter 6), which is normally distributed with the variance 1/n₁ + 1/n₂.
public struct ConversionTest: Sendable {
    /// The conversion rate of the control, above 0 and below 1.
    public let baseline: Double
    /// The probability of detecting a difference that exists.
    public let power: Double
    /// The probability of detecting a difference that does not exist.
    public let significance: Double

    /// The number of standard deviations of a difference that is detected with this power.
    private let distance: Double

    /// Creates a test; `nil` unless `baseline` is above 0 and below 1, `significance` is above 0, and `power` is above
    /// `significance` and below 1.
    public init?(baseline: Double, power: Double, significance: Double = 0.05) {
        guard baseline > 0, baseline < 1, significance > 0, power > significance, power < 1 else { return nil }
        self.baseline = baseline
        self.power = power
        self.significance = significance
        let bound = NormalDistribution.upperQuantile(significance / 2)
        // Both tails count, because with little power the wrong tail matters.
        distance = NormalDistribution.root(in: 0...80) { distance in
            NormalDistribution.upperTail(bound - distance) + NormalDistribution.upperTail(bound + distance) - power
        }
    }

    /// Returns the smallest detectable rise of the conversion rate, relative to the baseline: 0.1 stands for a rise
    /// from 4 % to 4.4 %.
    ///
    /// - Parameters:
    ///   - control: the number of visitors of the control.
    ///   - variation: the number of visitors of the other variation.
    /// - Returns: the rise; `nil` if one of them has no visitors, or if no rise is large enough.
    public func detectableEffect(control: Double, variation: Double) -> Double? {
        guard control > 0, variation > 0 else { return nil }
        let angle = Self.angle(baseline) + distance * (1 / control + 1 / variation).squareRoot() / 2
        guard angle < Double.pi / 2 else { return nil }
        return sin(angle) * sin(angle) / baseline - 1
    }

    /// Returns the time until a rise is detected.
    ///
    /// - Parameters:
    ///   - effect: the rise, relative to the baseline, above 0.
    ///   - control: the number of new visitors of the control a day.
    ///   - variation: the number of new visitors of the other variation a day.
    /// - Returns: the time in days; `nil` if one of them has no visitors, or if the conversion rate would exceed 1.
    public func days(toDetect effect: Double, control: Double, variation: Double) -> Double? {
        let rate = baseline * (1 + effect)
        guard control > 0, variation > 0, effect > 0, rate <= 1 else { return nil }
        let difference = 2 * (Self.angle(rate) - Self.angle(baseline))
        return distance * distance / (difference * difference) * (1 / control + 1 / variation)
    }

    private static func angle(_ rate: Double) -> Double { asin(rate.squareRoot()) }
}
