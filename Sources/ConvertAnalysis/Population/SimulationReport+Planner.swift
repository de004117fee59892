/// The assumptions for planning experiments.
public struct ExperimentPlan: Sendable {
    /// The test at the end of an experiment.
    public var test: ConversionTest
    /// The number of new visitors a day, eligible or not, if they are like the simulated visitors.
    public var visitorsPerDay: Double
    /// The rise of the conversion rate to detect, relative to the baseline.
    public var effect = 0.1
    /// The length of an experiment in days.
    public var length = 14.0

    /// Creates a plan for `visitorsPerDay` new visitors a day.
    public init(_ test: ConversionTest, visitorsPerDay: Double) {
        self.test = test
        self.visitorsPerDay = visitorsPerDay
    }
}

extension SimulationReport {
    /// The effects that experiences can detect, and the time that this takes.
    public struct Planner: Sendable, Encodable {
        /// A variation compared with the control, which is the first variation with traffic.
        public struct Comparison: Sendable, Encodable {
            /// The variation's key, or else its id.
            public let variation: String
            /// The control's key, or else its id.
            public let control: String
            /// The number of visitors a day who get the variation.
            public let visitorsPerDay: Double
            /// The number of visitors a day who get the control.
            public let controlPerDay: Double
            /// The smallest rise that the test detects after ``Planner/length`` days, relative to the baseline; `nil`
            /// if it detects no rise.
            public let detectableEffect: Double?
            /// The same rise as a difference of conversion rates.
            public let detectableDifference: Double?
            /// The number of days after which the test detects a rise by ``Planner/effect``; `nil` if it never does.
            public let days: Double?
        }

        /// The plan for one experience.
        public struct Experience: Sendable, Encodable {
            /// The key.
            public let key: String
            /// The number of visitors a day who get a variation.
            public let visitorsPerDay: Double
            /// The rise that every comparison detects: the largest of the smallest rises; `nil` if some comparison
            /// detects no rise.
            public let detectableEffect: Double?
            /// The same rise as a difference of conversion rates.
            public let detectableDifference: Double?
            /// The number of days after which every comparison detects ``Planner/effect``; `nil` if one never does.
            public let days: Double?
            /// The comparisons with the control; empty if fewer than two variations have traffic.
            public let comparisons: [Comparison]
        }

        /// The conversion rate of the controls.
        public let baseline: Double
        /// The probability of detecting an effect that exists.
        public let power: Double
        /// The probability that a comparison detects an effect that does not exist.
        public let significance: Double
        /// The number of new visitors a day.
        public let visitorsPerDay: Double
        /// The relative effect that `days` refers to.
        public let effect: Double
        /// The number of days that `detectableEffect` refers to.
        public let length: Double
        /// The experiences of the report, in its order.
        public let experiences: [Experience]
    }

    /// Returns the report with a planner for its experiences.
    ///
    /// The plan assumes that a day's visitors are eligible as often as the simulated ones, and that bucket values
    /// distribute them among the variations.
    public func planned(by plan: ExperimentPlan) -> SimulationReport {
        var report = self
        report.planner = Planner(
            baseline: plan.test.baseline, power: plan.test.power, significance: plan.test.significance,
            visitorsPerDay: plan.visitorsPerDay, effect: plan.effect, length: plan.length,
            experiences: experiences.map { $0.planned(by: plan) })
        return report
    }
}

extension SimulationReport.Experience {
    fileprivate func planned(by plan: ExperimentPlan) -> SimulationReport.Planner.Experience {
        let perDay = variations.map { plan.visitorsPerDay * eligibleShare * $0.bucketShare }
        let running = variations.indices.filter { perDay[$0] > 0 }
        let comparisons = running.dropFirst().map { index in
            plan.comparison(variations[index], perDay[index], to: variations[running[0]], perDay[running[0]])
        }
        let effect = comparisons.map(\.detectableEffect).largest
        return SimulationReport.Planner.Experience(
            key: key, visitorsPerDay: perDay.reduce(0, +), detectableEffect: effect,
            detectableDifference: effect.map { $0 * plan.test.baseline }, days: comparisons.map(\.days).largest,
            comparisons: comparisons)
    }
}

extension ExperimentPlan {
    fileprivate func comparison(
        _ variation: SimulationReport.Variation, _ visitors: Double, to control: SimulationReport.Variation,
        _ controls: Double
    ) -> SimulationReport.Planner.Comparison {
        let found = test.detectableEffect(control: controls * length, variation: visitors * length)
        return SimulationReport.Planner.Comparison(
            variation: variation.name, control: control.name, visitorsPerDay: visitors, controlPerDay: controls,
            detectableEffect: found, detectableDifference: found.map { $0 * test.baseline },
            days: test.days(toDetect: effect, control: controls, variation: visitors))
    }
}

extension [Double?] {
    /// The largest element; `nil` if there are no elements, or if one of them is `nil`.
    fileprivate var largest: Double? {
        let known = compactMap(\.self)
        return known.count == count ? known.max() : nil
    }
}
