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

    /// For each arm, the smallest share that it may have of visitors who had no variation before: its share of all
    /// bucket values, or its share of the values to which one of the `earlier` allocations gives no arm.
    ///
    /// Allocations of other experiences are ignored.
    func leastShares(after earlier: [AllocatedBuckets]) -> [Double] {
        earlier.reduce(shares) { least, other in zip(least, sharesOfValues(leftFreeBy: other)).map { min($0, $1) } }
    }

    /// For each arm, its share of the bucket values that the other allocation leaves free. If no arm gets such a value,
    /// or if visitors have other values there, the shares of all values.
    private func sharesOfValues(leftFreeBy other: AllocatedBuckets) -> [Double] {
        guard experienceID == other.experienceID, bucketing == other.bucketing else { return shares }
        var counts = shares.map { _ in 0.0 }
        var start = 0
        for end in Set((runs + other.runs).map(\.end)).sorted() {
            if other.arm(of: start) == nil, let arm = arm(of: start) { counts[arm] += Double(end - start) }
            start = end
        }
        let total = counts.reduce(0, +)
        return total > 0 ? counts.map { $0 / total } : shares
    }

    /// The number of parts of each arm's bucket values.
    static let partCount = 10

    /// The arm that gets the visitor's bucket value, and the part of the arm's values that contains it; `nil` if no arm
    /// gets it.
    func place(ofVisitor id: String) -> (arm: Int, part: Int)? {
        let value = BucketingManager(options: bucketing).bucketValue(visitorID: id, experienceID: experienceID)
        guard let arm = arm(of: value) else { return nil }
        let (before, count) = valueCounts(of: arm, before: value)
        return (arm, before * Self.partCount / count)
    }

    /// The sizes of the parts of an arm's bucket values, which differ by at most one value.
    func partSizes(of arm: Int) -> [Double] {
        let (_, count) = valueCounts(of: arm, before: 0)
        let starts = (0...Self.partCount).map { ($0 * count + Self.partCount - 1) / Self.partCount }
        return zip(starts, starts.dropFirst()).map { Double($1 - $0) }
    }

    /// The number of an arm's bucket values below `value`, and the number of all its values.
    private func valueCounts(of arm: Int, before value: Int) -> (before: Int, all: Int) {
        var (before, all, start) = (0, 0, 0)
        for run in runs {
            if run.arm == arm {
                before += max(0, min(value, run.end) - start)
                all += run.end - start
            }
            start = run.end
        }
        return (before, all)
    }

    /// The arm that gets a bucket value; `nil` if no arm gets it.
    private func arm(of value: Int) -> Int? { runs.first { value < $0.end }?.arm }
}
