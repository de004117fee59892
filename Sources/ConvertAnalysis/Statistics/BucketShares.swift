public import ConvertSwiftSDKCore

/// How the arms of an experience share its bucket values.
public struct BucketShares: Sendable {
    /// One variation and its share.
    public struct Arm: Sendable, Equatable {
        /// The variation's id.
        public let variationID: String
        /// The variation's key, if it has one.
        public let variationKey: String?
        /// How many bucket values give this variation.
        public let valueCount: Int
        /// The part of all bucket values that give it, 0 to 1.
        public let share: Double
    }

    /// The variations that have an id, in config order; of several with one id the first, which visitors get.
    public let arms: [Arm]

    /// The part of all bucket values that give some variation.
    public var total: Double { arms.reduce(0) { $0 + $1.share } }

    /// The shares of `experience`, whose variations are found by their ids as `semantics` do.
    public init(
        of experience: ProjectConfig.Experience, bucketing: BucketingOptions = BucketingOptions(),
        semantics: RuleSemantics
    ) {
        let valueCount = Int(min(bucketing.maxTraffic, Self.valueLimit).rounded(.up))
        var counts = experience.variations.map { _ in 0 }
        for run in BucketRuns(experience, under: semantics, count: valueCount).runs {
            if let index = run.variation { counts[index] += run.values.count }
        }
        var arms: [Arm] = []
        for (variation, count) in zip(experience.variations, counts) {
            guard let id = variation.id else { continue }
            let known = arms.firstIndex { $0.variationID == id.text }
            let arm = Arm(
                variationID: id.text, variationKey: known.map { arms[$0].variationKey } ?? variation.key,
                valueCount: count + (known.map { arms[$0].valueCount } ?? 0),
                share: Double(count) / Double(valueCount) + (known.map { arms[$0].share } ?? 0))
            if let known { arms[known] = arm } else { arms.append(arm) }
        }
        self.arms = arms
    }

    /// The most bucket values; more than numbers of visitors can tell apart.
    private static let valueLimit = 0x1p53
}
