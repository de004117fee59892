/// How visitors are hashed into bucket values. Changing an option moves visitors between variations.
public struct BucketingOptions: Sendable, Hashable {
    /// The hash seed used by default.
    public static let defaultHashSeed: UInt32 = 9999

    /// The number of bucket values used by default.
    public static let defaultMaxTraffic = 10_000.0

    /// The hash seed. 0 means ``defaultHashSeed``, as in the JavaScript SDK.
    public let hashSeed: UInt32

    /// The number of bucket values: they lie in `0 ..< maxTraffic`. 0 means ``defaultMaxTraffic``, as in the JavaScript
    /// SDK, and so do negative numbers, NaN and infinity.
    ///
    /// Allocations are always measured in hundredths of a percent of 10,000. A smaller range therefore gives all
    /// visitors to the first arms.
    public let maxTraffic: Double

    /// Whether the hash leaves out the experience id, so that a visitor has the same bucket value in all experiences.
    public let excludesExperienceID: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - hashSeed: the hash seed; 0 means ``defaultHashSeed``.
    ///   - maxTraffic: the number of bucket values; 0 means ``defaultMaxTraffic``.
    ///   - excludesExperienceID: whether a visitor has the same bucket value in all experiences.
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
