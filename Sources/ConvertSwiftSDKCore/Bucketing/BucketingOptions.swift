/// How visitors are hashed into bucket values. Changing an option moves visitors between variations.
public struct BucketingOptions: Sendable, Hashable {
    /// The hash seed used by default.
    public static let defaultHashSeed: UInt32 = 9999

    /// The number of bucket values used by default.
    public static let defaultMaxTraffic = 10_000.0

    /// The hash seed. 0 means ``defaultHashSeed``, as in the JavaScript SDK.
    public let hashSeed: UInt32

    /// The number of bucket values, which lie in `0 ..< maxTraffic`. 0 means ``defaultMaxTraffic``, as in the
    /// JavaScript SDK. Negative numbers, NaN and infinity mean the default too.
    ///
    /// An allocation of one percent always takes 100 bucket values. With fewer than 10,000 bucket values, arms that lie
    /// beyond them therefore get no visitors.
    public let maxTraffic: Double

    /// Whether the hash leaves out the experience id, so that a visitor has the same bucket value in all experiences.
    public let excludesExperienceID: Bool

    /// Creates options.
    public init(hashSeed: UInt32 = 0, maxTraffic: Double = 0, excludesExperienceID: Bool = false) {
        self.hashSeed = hashSeed == 0 ? Self.defaultHashSeed : hashSeed
        self.maxTraffic = Self.usable(maxTraffic)
        self.excludesExperienceID = excludesExperienceID
    }

    /// Creates options that use the seed unchanged, even 0. The reference treats the seed of a single call this way.
    package init(exactSeed: UInt32, maxTraffic: Double = 0) {
        hashSeed = exactSeed
        self.maxTraffic = Self.usable(maxTraffic)
        excludesExperienceID = false
    }

    private static func usable(_ maxTraffic: Double) -> Double {
        maxTraffic > 0 && maxTraffic.isFinite ? maxTraffic : defaultMaxTraffic
    }
}
