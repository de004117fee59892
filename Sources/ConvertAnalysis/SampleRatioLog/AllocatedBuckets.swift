internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The bucket values that an allocation gives to the arms of an experience.
struct AllocatedBuckets: Sendable, Hashable {
    /// A run of bucket values.
    private struct Run: Sendable, Hashable {
        /// The first bucket value after the run.
        var end: Int
        /// The arm that gets the values; `nil` if no arm gets them.
        let arm: Int?
    }

    /// For each arm, its share of the visitors who get a variation; empty if no visitor gets one.
    let shares: [Double]
    private var runs: [Run] = []
    private let experienceID: String
    private let bucketing: BucketingOptions

    /// Creates the bucket values of the arms with the ids `arms`.
    init(
        of experience: ProjectConfig.Experience, arms: [PropertyKey], bucketing: BucketingOptions,
        semantics: RuleSemantics
    ) {
        experienceID = experience.id.text
        self.bucketing = bucketing
        var counts = arms.map { _ in 0.0 }
        for run in BucketRuns(experience, under: semantics, count: BucketShares.valueCount(under: bucketing)).runs {
            let id = run.variation.flatMap { experience.variations[$0].id?.key }
            let arm = id.flatMap { arms.firstIndex(of: $0) }
            if let arm { counts[arm] += Double(run.values.count) }
            if let last = runs.last, last.arm == arm {
                runs[runs.count - 1].end = run.values.upperBound
            } else {
                runs.append(Run(end: run.values.upperBound, arm: arm))
            }
        }
        let total = counts.reduce(0, +)
        shares = total > 0 ? counts.map { $0 / total } : []
    }

    /// The arm that gets the visitor's bucket value; `nil` if no arm gets it.
    func arm(ofVisitor id: String) -> Int? {
        let value = BucketingManager(options: bucketing).bucketValue(visitorID: id, experienceID: experienceID)
        return runs.first { value < $0.end }?.arm
    }
}
