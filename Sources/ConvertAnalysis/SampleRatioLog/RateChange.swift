internal import Foundation

/// A day since when more or fewer visitors have no variation than before, beyond chance.
///
/// The rate itself is not known, so that the evidence is that of universal inference (Wasserman, Ramdas and
/// Balakrishnan, PNAS 2020): the likelihood of the days before and since, each with the predictive distribution of
/// Krichevsky and Trofimov, over the largest likelihood that one rate for all days has. The mean over the days on which
/// the rate may have changed, and over the courses, exceeds 1/α with a chance of at most α, however often one looks.
public struct RateChange: Sendable, Equatable {
    /// How the rate changed.
    public enum Course: String, Sendable, CaseIterable {
        /// The day and those after it have another rate than those before.
        case since
        /// The day is between: those after it have another rate than those before.
        case during
        /// The day alone has another rate.
        case oneDay
    }

    /// The first day of the other rate.
    public let day: String
    /// Whether it lasts, and whether it began with the day.
    public let course: Course
    /// Whether the attribute's value came with that day, so that it is compared with all visitors until then.
    public let isNewValue: Bool
    /// The rate of the other days, from 0 to 1.
    public let otherRate: Double
    /// The rate since then, after the day, or of the day alone, by the course.
    public let rate: Double
    /// The probability of ever seeing as much evidence if the rate is always the same, multiplied by the number of
    /// values that are compared.
    public let p: Double

    /// Visitors, and those without a variation.
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

        /// The logarithm of the largest likelihood.
        var largest: Double {
            [undealt, visitors - undealt].reduce(0) { $1 > 0 ? $0 + $1 * log($1 / visitors) : $0 }
        }

        /// The logarithm of the likelihood with the predictive distribution.
        var predicted: Double {
            GammaFunctions.logGamma(undealt + 0.5) + GammaFunctions.logGamma(visitors - undealt + 0.5)
                - GammaFunctions.logGamma(visitors + 1) - log(Double.pi)
        }
    }

    /// The likeliest change of `days`, which stand in the order of the calendar; `nil` without one beyond chance.
    ///
    /// - Parameters:
    ///   - all: the same days of all visitors, with whom a value that comes later is compared.
    ///   - tests: how many rates are looked at.
    static func find(
        _ days: [SampleRatioLogReport.Rate], among all: [SampleRatioLogReport.Rate], times tests: Double
    ) -> RateChange? {
        var cells = days.map { Counts($0) }
        guard let arrival = cells.firstIndex(where: { $0.visitors > 0 }) else { return nil }
        let before = all.prefix(arrival).map { Counts($0) }.reduce(Counts(), +)
        let own = cells.reduce(Counts(), +)
        let share = own.visitors / max(1, all.dropFirst(arrival).reduce(0) { $0 + Double($1.visitors) })
        // A rare value may be missing for some days by chance.
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
            // The last day's rate may last.
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
