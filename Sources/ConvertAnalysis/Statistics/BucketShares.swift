public import ConvertSwiftSDKCore

/// The shares of an experience's bucket values that its variations get.
public struct BucketShares: Sendable {
    /// A variation and its share.
    public struct Arm: Sendable, Equatable {
        /// The variation's id.
        public let variationID: String
        /// The variation's key; `nil` if it has no key.
        public let variationKey: String?
        /// The number of bucket values that get this variation.
        public let valueCount: Int
        /// The share of all bucket values, from 0 to 1.
        public let share: Double
    }

    /// The variations with an id, in config order. If several have one id, only the first is included, which visitors
    /// get.
    public let arms: [Arm]

    /// The share of all bucket values that get any variation.
    public var total: Double { arms.reduce(0) { $0 + $1.share } }

    /// Creates the shares of `experience`. `semantics` determines how variations are found by their ids.
    public init(
        of experience: ProjectConfig.Experience, bucketing: BucketingOptions = BucketingOptions(),
        semantics: RuleSemantics
    ) {
        let valueCount = Self.valueCount(under: bucketing)
        var counts = experience.variations.map { _ in 0 }
        for run in BucketRuns(experience, under: semantics, count: valueCount).runs {
            if let index = run.variation { counts[index] += run.values.count }
        }
        var arms: [Arm] = []
        var places: [String: Int] = [:]
        for (variation, count) in zip(experience.variations, counts) {
            guard let id = variation.id else { continue }
            let known = places[id.text]
            let arm = Arm(
                variationID: id.text, variationKey: known.map { arms[$0].variationKey } ?? variation.key,
                valueCount: count + (known.map { arms[$0].valueCount } ?? 0),
                share: Double(count) / Double(valueCount) + (known.map { arms[$0].share } ?? 0))
            if let known {
                arms[known] = arm
            } else {
                places[id.text] = arms.count
                arms.append(arm)
            }
        }
        self.arms = arms
    }

    /// The number of bucket values.
    static func valueCount(under bucketing: BucketingOptions) -> Int {
        Int(min(bucketing.maxTraffic, valueLimit).rounded(.up))
    }

    /// The maximum number of bucket values. More would not matter for any number of visitors.
    private static let valueLimit = 0x1p53
}
