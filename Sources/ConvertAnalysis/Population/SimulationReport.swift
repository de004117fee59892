internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The result of a simulation: which visitors take part in experiences, and which variations they get.
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
        /// How many tests of this kind the report has: one for each experience, or for each audience of an experience.
        public internal(set) var tests = 1
        /// ``p`` times ``tests``, at most 1 (Bonferroni's correction).
        public internal(set) var adjustedP: Double
        /// Whether the counts disagree with the shares: ``adjustedP`` is below ``SampleRatioTest/threshold``.
        public internal(set) var mismatch: Bool
        /// What the counts say of the shares, by ``adjustedP``.
        public internal(set) var verdict: SampleRatioVerdict
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
        /// How many of the visitors with a variation that was not stored should have got this one.
        public let expected: Double
        /// How many of ``observed`` kept a stored decision. Tests leave them out: they may come of another allocation.
        public let stored: Int
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
        /// For each variation how many visitors of the audience got it, without stored decisions.
        public let observed: [Int]
        /// Whether they are shared as they should be; `nil` if no visitor got a variation.
        public internal(set) var ratio: Ratio?
    }

    /// One experience.
    public struct Experience: Sendable, Encodable {
        /// The key.
        public let key: String
        /// The id.
        public let id: String
        /// The only environment in which it runs; `nil` if it runs in all of them, or in none.
        public let environment: String?
        /// How many visitors passed all gates.
        public let eligible: Int
        /// How many of them passed only by values that the generator took from the config's own rules.
        public let eligibleByRuleValues: Int
        /// How many visitors would pass all gates if no audience asked for another experience.
        public let eligibleWithoutExclusions: Int
        /// Keys of the other experiences that keep all of these out; empty if somebody is eligible.
        public let starvedBy: [String]
        /// The part of all visitors who did.
        public let eligibleShare: Double
        /// How many visitors got a variation.
        public let bucketed: Int
        /// Why the others got none: how many for each reason.
        public let reasons: [String: Int]
        /// The variations, in config order.
        public let variations: [Variation]
        /// Whether visitors are shared among them as they should be; `nil` if no visitor got a variation.
        public internal(set) var ratio: Ratio?
        /// The attached audiences.
        public internal(set) var audiences: [Audience]
    }

    /// An attribute that visitors have and no rule reads.
    public struct UnreadAttribute: Sendable, Encodable {
        /// The name.
        public let name: String
        /// The name nearest to it that a rule reads; `nil` if none is near.
        public let nearest: String?

        init(_ name: String, among names: [String]) {
            self.name = name
            nearest = names.nearest(to: name)
        }
    }

    /// Number of visitors.
    public let visitors: Int
    /// What they were generated from; `nil` if they were given.
    public let seed: UInt64?
    /// The environment that was decided in.
    public let environment: String
    /// Why no visitor is eligible, if that is because no experience runs in the environment; else `nil`.
    public let environmentNote: String?
    /// Attributes that visitors have and no rule of an audience or segment reads, at most 100.
    public let unreadAttributes: [UnreadAttribute]
    /// How many records were no visitors.
    public let errors: Int
    /// How many visitors have the id of an earlier one, among the first million of ids in the stream. Each counts, with
    /// the same bucket values.
    public let repeatedVisitors: Int
    /// What is wrong with the first visitor whose stored decisions are ignored; `nil` if none are.
    public let ignoredStored: String?
    /// The experiences, in config order.
    public let experiences: [Experience]
    /// Pairs of experiences, those that depend most on each other first; at most ``pairLimit``.
    public let pairs: [Pair]
    /// How many pairs were tested.
    public let pairCount: Int
    /// Exclusions between experiences.
    public let exclusions: [Exclusion]
    /// Visitors in two experiences.
    public let overlaps: Overlaps
    /// For each number of experiences how many visitors got a variation in that many.
    public let experiencesPerVisitor: [Int]
    /// How large effects can be found, and when; `nil` until ``planned(by:)`` says it.
    public internal(set) var planner: Planner?

    /// How many pairs are listed.
    public static let pairLimit = 100
    /// How many experiences ``overlaps`` has.
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

    /// The same as one of `tests` tests.
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
    /// Why no visitor is in a variation, in a few words; `nil` if one is. Archived is not the same as out of reach.
    package var whyEmpty: String? {
        if bucketed > 0 { return nil }
        if reasons[Decision.Reason.archived.rawValue] != nil { return "archived" }
        if reasons[Decision.Reason.otherEnvironment.rawValue] != nil { return "not in this environment" }
        if !starvedBy.isEmpty { return "starved by \(starvedBy.joined(separator: ", "))" }
        if eligible == 0 { return "no visitor is eligible" }
        return "no eligible visitor gets a variation"
    }
}
