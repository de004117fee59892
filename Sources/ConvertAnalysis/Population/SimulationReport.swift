/// What came of a simulation: who takes part in experiences, and who gets what.
public struct SimulationReport: Sendable, Encodable {
    /// Counts of an experience's variations against their shares.
    public struct Ratio: Sendable, Encodable {
        /// How ``p`` was found.
        public let method: SampleRatioTest.Method
        /// Pearson's statistic; `nil` if something was counted where nothing is expected.
        public let chiSquare: Double?
        /// One less than the number of variations that take traffic.
        public let degreesOfFreedom: Int
        /// The probability of counts as far from the shares, if nothing is wrong.
        public let p: Double
        /// Whether the counts disagree with the shares.
        public let mismatch: Bool
    }

    /// One variation.
    public struct Variation: Sendable, Encodable {
        /// The key, if it has one.
        public let key: String?
        /// The id.
        public let id: String
        /// The part of the bucket values that give it, 0 to 1.
        public let bucketShare: Double
        /// How many visitors got it.
        public let observed: Int
        /// How many of the visitors with a variation should have got this one.
        public let expected: Double
        /// The part of all visitors who got it.
        public let trafficShare: Double
    }

    /// The visitors of one audience in an experience.
    public struct Audience: Sendable, Encodable {
        /// The audience's key.
        public let key: String
        /// The audience's id.
        public let id: String
        /// How many of all visitors are in it; `nil` if it asks for stored decisions, which change while one decides.
        public let matched: Int?
        /// For each variation how many visitors of the audience got it.
        public let observed: [Int]
        /// Whether they are shared as they should be; `nil` if nobody got a variation.
        public let ratio: Ratio?
    }

    /// One experience.
    public struct Experience: Sendable, Encodable {
        /// The key.
        public let key: String
        /// The id.
        public let id: String
        /// How many visitors passed all gates.
        public let eligible: Int
        /// The part of all visitors who did.
        public let eligibleShare: Double
        /// How many visitors got a variation.
        public let bucketed: Int
        /// Why the others got none: how many for each reason.
        public let reasons: [String: Int]
        /// The variations, in config order.
        public let variations: [Variation]
        /// Whether visitors are shared among them as they should be; `nil` if nobody got a variation.
        public let ratio: Ratio?
        /// The attached audiences.
        public let audiences: [Audience]
    }

    /// Two experiences in which the same visitors got variations.
    public struct Pair: Sendable, Encodable {
        /// Key of the first experience.
        public let first: String
        /// Key of the second one.
        public let second: String
        /// How many visitors got a variation in both.
        public let both: Int
        /// Pearson's statistic of independence.
        public let chiSquare: Double
        /// Its degrees of freedom.
        public let degreesOfFreedom: Int
        /// The probability of variations as dependent as these, if they are not.
        public let p: Double
        /// Whether they depend on each other: `p`, times the number of pairs, is below the threshold of a mismatch.
        public let isDependent: Bool
    }

    /// What an audience excludes that asks whether visitors are in another experience.
    public struct Exclusion: Sendable, Encodable {
        /// Key of the experience that the audience is attached to.
        public let experience: String
        /// Key of the audience.
        public let audience: String
        /// Key of the experience that it asks for.
        public let other: String
        /// Whether visitors of the other experience are kept out; else only they are let in.
        public let keepsOut: Bool
        /// How many visitors are in both experiences.
        public let both: Int
        /// How many are in the other one alone.
        public let otherOnly: Int
        /// Whether the other experience is decided later, so that a visitor who is new to both is not excluded by it.
        public let isDecidedLater: Bool
    }

    /// Number of visitors.
    public let visitors: Int
    /// What they were generated from; `nil` if they were given.
    public let seed: UInt64?
    /// How many records were no visitors.
    public let errors: Int
    /// The experiences, in config order.
    public let experiences: [Experience]
    /// Pairs of experiences, those that depend most on each other first; at most ``pairLimit``.
    public let pairs: [Pair]
    /// How many pairs were tested.
    public let pairCount: Int
    /// Exclusions between experiences.
    public let exclusions: [Exclusion]
    /// For each number of experiences how many visitors got a variation in that many.
    public let experiencesPerVisitor: [Int]

    /// How many pairs are listed.
    public static let pairLimit = 100
}

extension SimulationReport.Ratio {
    init?(_ counts: [Int], shares: [Double]) {
        guard let result = SampleRatioTest(shares: shares)?.result(for: counts) else { return nil }
        method = result.method
        chiSquare = result.chiSquare.isFinite ? result.chiSquare : nil
        degreesOfFreedom = result.degreesOfFreedom
        p = result.p
        mismatch = result.isMismatch
    }
}

extension SimulationReport.Variation {
    /// The key, or else the id.
    public var name: String { key ?? id }
}
