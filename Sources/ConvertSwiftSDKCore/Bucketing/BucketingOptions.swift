/// How visitors are hashed into bucket values. Changing any of it moves visitors between variations.
public struct BucketingOptions: Sendable, Hashable {
    /// The hash's seed when none is configured.
    public static let defaultHashSeed: UInt32 = 9999

    /// The number of bucket values when none is configured.
    public static let defaultMaxTraffic = 10_000.0

    /// The hash's seed; 0 means ``defaultHashSeed``, as in the reference.
    public let hashSeed: UInt32

    /// Bucket values lie in `0 ..< maxTraffic`; 0 means ``defaultMaxTraffic``, as in the reference, and so does anything
    /// that is not a positive finite number. Allocations stay hundredths of a percent of 10 000, so a smaller range gives
    /// every visitor to the first arms.
    public let maxTraffic: Double

    /// Whether the hash leaves the experience's id out, so that a visitor has one bucket value in all experiences.
    public let excludesExperienceID: Bool

    /// Options.
    public init(hashSeed: UInt32 = 0, maxTraffic: Double = 0, excludesExperienceID: Bool = false) {
        self.hashSeed = hashSeed == 0 ? Self.defaultHashSeed : hashSeed
        self.maxTraffic = Self.usable(maxTraffic)
        self.excludesExperienceID = excludesExperienceID
    }

    /// Options whose seed is taken as it is, 0 included, as the reference takes the seed of a single call.
    package init(exactSeed: UInt32, maxTraffic: Double = 0) {
        hashSeed = exactSeed
        self.maxTraffic = Self.usable(maxTraffic)
        excludesExperienceID = false
    }

    private static func usable(_ maxTraffic: Double) -> Double {
        maxTraffic > 0 && maxTraffic.isFinite ? maxTraffic : defaultMaxTraffic
    }
}
