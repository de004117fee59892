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

    /// The shares of `experience`, found by looking at every bucket value.
    public init(of experience: Experience, bucketing: BucketingOptions = BucketingOptions()) {
        let layout = BucketLayout(variations: experience.variations, version: experience.version)
        let valueCount = Int(min(bucketing.maxTraffic, Double(Self.valueLimit)).rounded(.up))
        var counts = experience.variations.map { _ in 0 }
        for value in 0..<valueCount {
            if let index = layout.variation(for: Double(value)) { counts[index] += 1 }
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

    /// The most bucket values that are looked at; an app seldom has other than ten thousand.
    private static let valueLimit = 10_000_000
}
