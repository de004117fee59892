/// How visitors are hashed into bucket values. Changing an option moves visitors between variations.
public struct BucketingOptions: Sendable, Hashable {
    /// The hash seed used by default.
    public static let defaultHashSeed: UInt32 = 9999

    /// The number of bucket values used by default.
    public static let defaultMaxTraffic = 10_000.0

    /// The hash seed. 0 means ``defaultHashSeed``, as in the JavaScript SDK.
    public package(set) var hashSeed: UInt32

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
        self.maxTraffic = maxTraffic > 0 && maxTraffic.isFinite ? maxTraffic : Self.defaultMaxTraffic
        self.excludesExperienceID = excludesExperienceID
    }
}
