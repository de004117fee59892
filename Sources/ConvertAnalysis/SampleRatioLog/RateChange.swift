internal import Foundation

/// A change in the share of visitors without a variation that is not chance.
///
/// The rate is not known, so the test uses universal inference (Wasserman, Ramdas and Balakrishnan, PNAS 2020). For
/// each possible day and course, the evidence is the likelihood of the days before and after, under the predictive
/// distribution of Krichevsky and Trofimov, divided by the maximum likelihood of a single rate for all days. The
/// weighted mean of the evidence exceeds 1/α with a chance of at most α, however often one looks.
public struct RateChange: Sendable, Equatable {
    /// The course of the change.
    public enum Course: String, Sendable, CaseIterable {
        /// The day and all later days have another rate.
        case since
        /// Later days have another rate, and the day itself lies in between.
        case during
        /// Only this day has another rate.
        case oneDay
    }

    /// The first day with another rate.
    public let day: String
    /// Whether the change lasts, and whether it began at the start of the day.
    public let course: Course
    /// Whether the attribute's value first appeared on that day. Then it is compared with all earlier visitors.
    public let isNewValue: Bool
    /// The rate of the other days, from 0 to 1.
    public let otherRate: Double
    /// The new rate. ``course`` determines its days.
    public let rate: Double
    /// The probability of ever seeing as much evidence if the rate never changes, multiplied by the number of compared
    /// values.
    public let p: Double

    /// The numbers of all visitors and of visitors without a variation.
    fileprivate struct Counts {
        var visitors = 0.0
        var undealt = 0.0

        var rate: Double { visitors > 0 ? undealt / visitors : 0 }

        static func + (one: Counts, other: Counts) -> Counts {
            Counts(visitors: one.visitors + other.visitors, undealt: one.undealt + other.undealt)
        }

        static func - (one: Counts, other: Counts) -> Counts {
            Counts(visitors: one.visitors - other.visitors, undealt: one.undealt - other.undealt)
        }

        /// The logarithm of the maximum likelihood.
        var largest: Double {
            [undealt, visitors - undealt].reduce(0) { $1 > 0 ? $0 + $1 * log($1 / visitors) : $0 }
        }

        /// The logarithm of the likelihood under the predictive distribution.
        var predicted: Double {
            GammaFunctions.logGamma(undealt + 0.5) + GammaFunctions.logGamma(visitors - undealt + 0.5)
                - GammaFunctions.logGamma(visitors + 1) - log(Double.pi)
        }
    }

    /// The most likely change in `days`, which must be in calendar order; `nil` if all differences may be chance.
    ///
    /// - Parameters:
    ///   - all: the same days for all visitors, with whom a newly appearing value is compared.
    ///   - tests: the number of tested rates.
    static func find(
        _ days: [SampleRatioLogReport.Rate], among all: [SampleRatioLogReport.Rate], times tests: Double
    ) -> RateChange? {
        var cells = days.map { Counts($0) }
        guard let arrival = cells.firstIndex(where: { $0.visitors > 0 }) else { return nil }
        let before = all.prefix(arrival).map { Counts($0) }.reduce(Counts(), +)
        let own = cells.reduce(Counts(), +)
        let share = own.visitors / max(1, all.dropFirst(arrival).reduce(0) { $0 + Double($1.visitors) })
        // A rare value may be missing on some days by chance.
        let isNew = share >= 1 || before.visitors * log1p(-share) < log(SampleRatioTest.threshold / tests)
        if isNew, arrival > 0 { cells[0] = before }
        let total = cells.reduce(Counts(), +)
        var evidence: [(log: Double, day: Int, course: Course, other: Counts, changed: Counts)] = []
        var sum = Counts()
        for (day, cell) in cells.enumerated() {
            defer { sum = sum + cell }
            guard sum.visitors > 0, cell.visitors > 0 else { continue }
            let after = total - sum - cell
            let weight = -log(3 * Double(day) * Double(day + 1))
            func add(_ course: Course, _ other: Counts, _ changed: Counts, between: Counts = Counts()) {
                let likelihood = other.predicted + changed.predicted + between.predicted
                evidence.append((likelihood - total.largest + weight, day, course, other, changed))
            }
            add(.since, sum, cell + after)
            // After the last day, no days show whether the rate lasts.
            guard after.visitors > 0 else { continue }
            add(.during, sum, after, between: cell)
            add(.oneDay, sum + after, cell)
        }
        guard let best = evidence.max(by: { $0.log < $1.log }) else { return nil }
        let mean = best.log + log(evidence.reduce(0) { $0 + exp($1.log - best.log) })
        let p = min(1, tests * exp(-max(0, mean)))
        guard p < SampleRatioTest.threshold else { return nil }
        return RateChange(
            day: days[best.day].name, course: best.course, isNewValue: isNew && arrival > 0 && best.day == arrival,
            otherRate: best.other.rate, rate: best.changed.rate, p: p)
    }
}

extension RateChange.Counts {
    fileprivate init(_ rate: SampleRatioLogReport.Rate) {
        self.init(visitors: Double(rate.visitors), undealt: Double(rate.undealt))
    }
}
