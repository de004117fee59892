internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The results of a simulation: the visitors who take part in experiences, and the variations that they get.
public struct SimulationReport: Sendable, Encodable {
    /// A comparison of variations' counts with their expected shares.
    public struct Ratio: Sendable, Encodable {
        /// The method of computing ``p``.
        public let method: SampleRatioTest.Method
        /// Pearson's statistic; `nil` if visitors were counted where none are expected.
        public let chiSquare: Double?
        /// The number of variations with traffic, less one.
        public let degreesOfFreedom: Int
        /// The probability of counts at least as far from the shares, if nothing is wrong.
        public let p: Double
        /// The number of tests of this kind in the report: one for each experience, or for each audience of an
        /// experience.
        public internal(set) var tests = 1
        /// ``p`` times ``tests``, at most 1 (Bonferroni's correction).
        public internal(set) var adjustedP: Double
        /// Whether the counts contradict the shares: ``adjustedP`` is below ``SampleRatioTest/threshold``.
        public internal(set) var mismatch: Bool
        /// The verdict on the counts, by ``adjustedP``.
        public internal(set) var verdict: SampleRatioVerdict
    }

    /// One variation.
    public struct Variation: Sendable, Encodable {
        /// The key, if it has one.
        public let key: String?
        /// The id.
        public let id: String
        /// The share of bucket values that get the variation, from 0 to 1.
        public let bucketShare: Double
        /// The number of visitors who got the variation.
        public let observed: Int
        /// The expected number of visitors whose variation was not stored.
        public let expected: Double
        /// The number of ``observed`` visitors who kept a stored decision. Tests leave them out, because they may come
        /// from another allocation.
        public let stored: Int
        /// The share of all visitors who got the variation.
        public let trafficShare: Double
    }

    /// The visitors of one audience in an experience.
    public struct Audience: Sendable, Encodable {
        /// The audience's key.
        public let key: String
        /// The audience's id.
        public let id: String
        /// The number of visitors in the audience; `nil` if it asks for stored decisions, which change during the
        /// decisions.
        public let matched: Int?
        /// For each variation, the number of the audience's visitors who got it, except by stored decisions.
        public let observed: [Int]
        /// The test of the variations' shares; `nil` if no visitor got a variation.
        public internal(set) var ratio: Ratio?
    }

    /// One experience.
    public struct Experience: Sendable, Encodable {
        /// The key.
        public let key: String
        /// The id.
        public let id: String
        /// The only environment that the experience runs in; `nil` if it runs in every environment, or in none.
        public let environment: String?
        /// The number of visitors who met all entry conditions.
        public let eligible: Int
        /// The number of eligible visitors who met the conditions only with values that the generator took from the
        /// config's rules.
        public let eligibleByRuleValues: Int
        /// The number of visitors who would meet all entry conditions if no audience asked for another experience.
        public let eligibleWithoutExclusions: Int
        /// Keys of the other experiences that keep all of these visitors out; empty if any visitor is eligible.
        public let starvedBy: [String]
        /// The share of all visitors who are eligible.
        public let eligibleShare: Double
        /// The number of visitors who got a variation.
        public let bucketed: Int
        /// The numbers of visitors without a variation, by reason.
        public let reasons: [String: Int]
        /// The variations, in config order.
        public let variations: [Variation]
        /// The test of the variations' shares; `nil` if no visitor got a variation.
        public internal(set) var ratio: Ratio?
        /// The attached audiences.
        public internal(set) var audiences: [Audience]
    }

    /// An attribute that visitors have and no rule reads.
    public struct UnreadAttribute: Sendable, Encodable {
        /// The name.
        public let name: String
        /// The most similar name that a rule reads; `nil` if no name is similar.
        public let nearest: String?

        init(_ name: String, among names: [String]) {
            self.name = name
            nearest = names.nearest(to: name)
        }
    }

    /// The number of visitors.
    public let visitors: Int
    /// The seed of the generated visitors; `nil` if the visitors were read from a stream.
    public let seed: UInt64?
    /// The environment of the decisions.
    public let environment: String
    /// A note that no visitor is eligible because no experience runs in the environment; `nil` otherwise.
    public let environmentNote: String?
    /// Attributes that visitors have and no rule of an audience or segment reads, at most 100.
    public let unreadAttributes: [UnreadAttribute]
    /// The number of invalid records.
    public let errors: Int
    /// The number of visitors with the id of an earlier one, among the first million ids of the stream. Each of them
    /// counts, with the same bucket values.
    public let repeatedVisitors: Int
    /// The problem with the first ignored stored decision; `nil` if no stored decision is ignored.
    public let ignoredStored: String?
    /// The experiences, in config order.
    public let experiences: [Experience]
    /// The pairs of experiences with the strongest dependence first; at most ``pairLimit``.
    public let pairs: [Pair]
    /// The number of tested pairs.
    public let pairCount: Int
    /// The exclusions between experiences.
    public let exclusions: [Exclusion]
    /// The visitors in two experiences.
    public let overlaps: Overlaps
    /// For each number of experiences, the number of visitors who got a variation in that many.
    public let experiencesPerVisitor: [Int]
    /// The effects that can be detected, and the time that this takes; `nil` if ``planned(by:)`` was not called.
    public internal(set) var planner: Planner?

    /// The maximum number of listed pairs.
    public static let pairLimit = 100
    /// The maximum number of experiences in ``overlaps``.
    public static let overlapLimit = 100
}

extension SimulationReport.Ratio {
    init?(_ counts: [Int], shares: [Double]) {
        guard let result = SampleRatioTest(shares: shares)?.result(for: counts) else { return nil }
        method = result.method
        chiSquare = result.chiSquare.isFinite ? result.chiSquare : nil
        degreesOfFreedom = result.degreesOfFreedom
        p = result.p
        adjustedP = result.p
        mismatch = result.isMismatch
        verdict = SampleRatioVerdict(adjustedP: result.p)
    }

    /// Returns the same ratio as one of `tests` tests.
    func corrected(for tests: Int) -> Self {
        var ratio = self
        ratio.tests = tests
        ratio.adjustedP = min(1, p * Double(tests))
        ratio.mismatch = ratio.adjustedP < SampleRatioTest.threshold
        ratio.verdict = SampleRatioVerdict(adjustedP: ratio.adjustedP)
        return ratio
    }
}

extension SimulationReport.Variation {
    /// The key, or else the id.
    public var name: String { key ?? id }
}

extension SimulationReport.Experience {
    /// The reason why no visitor gets a variation, in a few words; `nil` if a visitor gets one. Distinguishes archived
    /// from unreachable experiences.
    package var whyEmpty: String? {
        if bucketed > 0 { return nil }
        if reasons[Decision.Reason.archived.rawValue] != nil { return "archived" }
        if reasons[Decision.Reason.otherEnvironment.rawValue] != nil { return "not in this environment" }
        if !starvedBy.isEmpty { return "starved by \(starvedBy.joined(separator: ", "))" }
        if eligible == 0 { return "no visitor is eligible" }
        return "no eligible visitor gets a variation"
    }
}
