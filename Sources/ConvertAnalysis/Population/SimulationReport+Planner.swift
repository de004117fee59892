/// What a planner of experiments goes by.
public struct ExperimentPlan: Sendable {
    /// The test at the end of an experiment.
    public var test: ConversionTest
    /// How many new visitors such as those of the simulation come a day, be they eligible or not.
    public var visitorsPerDay: Double
    /// The rise of the conversion rate that is to be found, relative to the baseline.
    public var effect = 0.1
    /// How many days an experiment runs.
    public var length = 14.0

    /// A plan for `visitorsPerDay` new visitors a day.
    public init(_ test: ConversionTest, visitorsPerDay: Double) {
        self.test = test
        self.visitorsPerDay = visitorsPerDay
    }
}

extension SimulationReport {
    /// How large an effect experiences can show, and how long that takes.
    public struct Planner: Sendable, Encodable {
        /// A variation against the control, the first variation that takes traffic.
        public struct Comparison: Sendable, Encodable {
            /// The variation, by key or else by id.
            public let variation: String
            /// The control, by key or else by id.
            public let control: String
            /// How many visitors the variation gets a day.
            public let visitorsPerDay: Double
            /// How many visitors the control gets a day.
            public let controlPerDay: Double
            /// The smallest rise that is found after ``Planner/length`` days, relative to the baseline; `nil` if none
            /// is.
            public let detectableEffect: Double?
            /// The same rise as a difference of the conversion rates.
            public let detectableDifference: Double?
            /// After how many days a rise by ``Planner/effect`` is found; `nil` if never.
            public let days: Double?
        }

        /// One experience.
        public struct Experience: Sendable, Encodable {
            /// The key.
            public let key: String
            /// How many visitors get a variation a day.
            public let visitorsPerDay: Double
            /// What every comparison finds: the largest of the smallest rises; `nil` if some comparison finds none.
            public let detectableEffect: Double?
            /// The same rise as a difference of the conversion rates.
            public let detectableDifference: Double?
            /// After how many days every comparison finds ``Planner/effect``; `nil` if never.
            public let days: Double?
            /// The variations against the control; empty if fewer than two variations take traffic.
            public let comparisons: [Comparison]
        }

        /// The conversion rate of the controls.
        public let baseline: Double
        /// The probability with which an effect is found.
        public let power: Double
        /// The probability with which each comparison finds an effect by mistake.
        public let significance: Double
        /// How many new visitors come a day.
        public let visitorsPerDay: Double
        /// The relative effect that `days` are for.
        public let effect: Double
        /// The days that `detectableEffect` is for.
        public let length: Double
        /// The experiences of the report, in its order.
        public let experiences: [Experience]
    }

    /// The report with what `plan` says of its experiences.
    ///
    /// A day's visitors are eligible as those of the simulation are, and bucket values share them among the variations.
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
    /// The largest element; `nil` without elements, or if one of them is `nil`.
    fileprivate var largest: Double? {
        let known = compactMap(\.self)
        return known.count == count ? known.max() : nil
    }
}
