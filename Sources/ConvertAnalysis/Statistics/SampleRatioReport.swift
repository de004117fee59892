internal import ConvertECMAScript
public import ConvertSwiftSDKCore

/// A comparison of the visitors of an experience's variations with its allocation.
public struct SampleRatioReport: Sendable, Encodable {
    /// A variation with its counted and expected visitors.
    public struct Variation: Sendable, Encodable {
        /// The variation's key; `nil` if it has no key.
        public let key: String?
        /// The variation's id.
        public let id: String
        /// The expected share of the experience's visitors, from 0 to 1.
        public let share: Double
        /// The expected count.
        public let expected: Double
        /// The observed count.
        public let observed: Int
    }

    /// The experience's key.
    public let experienceKey: String
    /// The experience's id.
    public let experienceID: String
    /// The result of the test.
    public let result: SampleRatioTest.Result
    /// The verdict on the counts.
    public let verdict: SampleRatioVerdict
    /// The variations, in config order.
    public let variations: [Variation]
    /// Possible causes of a mismatch, the most likely first; empty if there is no mismatch.
    public let causes: [String]

    /// Creates a report on an experience.
    ///
    /// - Parameters:
    ///   - experience: the experience, with the expected allocation.
    ///   - counts: the numbers of visitors, by the variation's key or id; a missing variation counts as 0.
    ///   - isSequential: whether the result must hold although counts are tested repeatedly.
    ///   - semantics: the rules for finding variations by their ids.
    ///   - minDifference: the smallest relevant difference of a share, from 0 to 1; `nil` if every difference is
    ///     relevant.
    public init(
        of experience: ProjectConfig.Experience, counts: [(name: String, count: Int)], isSequential: Bool = false,
        semantics: RuleSemantics = .standard, minDifference: Double? = nil
    ) throws(SampleRatioError) {
        let arms = BucketShares(of: experience, semantics: semantics).arms
        var observed: [Int?] = arms.map { _ in nil }
        for (name, count) in counts {
            guard
                let index = arms.firstIndex(where: { $0.variationKey.map { PropertyKey($0) } == PropertyKey(name) })
                    ?? arms.firstIndex(where: { PropertyKey($0.variationID) == PropertyKey(name) })
            else {
                throw .unknownVariation(name, among: arms.flatMap(\.names))
            }
            guard observed[index] == nil else { throw .countedTwice(arms[index].names[0]) }
            guard count >= 0 else { throw .negative(name) }
            observed[index] = count
        }
        let found = observed.map { $0 ?? 0 }
        guard let test = SampleRatioTest(shares: arms.map(\.share)) else { throw .noTraffic }
        guard let result = test.result(for: found, isSequential: isSequential) else { throw .noVisitors }
        experienceKey = experience.entityKey.lookUp.name
        experienceID = experience.id.text
        self.result = result
        variations = arms.indices.map { index in
            Variation(
                key: arms[index].variationKey, id: arms[index].variationID, share: test.shares[index],
                expected: result.expected[index], observed: found[index])
        }
        verdict = SampleRatioVerdict(
            result, counts: found, shares: test.shares, minDifference: minDifference)
        causes = verdict == .mismatch ? Self.causes(of: variations) : []
    }

    private static func causes(of variations: [Variation]) -> [String] {
        var causes: [String] = []
        for variation in variations where variation.share == 0 && variation.observed > 0 {
            causes.append(
                "'\(variation.name)' takes no traffic in this config, but has visitors: it was stopped or its "
                    + "allocation "
                    + "changed while they were counted, and visitors keep the variation they have")
        }
        for variation in variations where variation.observed == 0 && variation.expected >= 10 {
            causes.append(
                "no visitor was counted in '\(variation.name)': its tracking does not work, or the counts lack it")
        }
        return causes + [
            "allocations changed while visitors were counted: count only visitors that came after the last change",
            "visitors are lost in one variation before they are counted: a redirect, an error, a slow page",
            "something else than visitors is counted: sessions, page views or conversions, of which one variation has "
                + "more",
            "bots or staff are filtered by what they do, which differs by variation",
        ]
    }

    private enum CodingKeys: String, CodingKey {
        case experienceKey, experienceId, method, chiSquare, degreesOfFreedom, p, mismatch, verdict, variations, causes
    }

    /// Encodes the report; an infinite statistic becomes `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(experienceKey, forKey: .experienceKey)
        try container.encode(experienceID, forKey: .experienceId)
        try container.encode(result.method, forKey: .method)
        try container.encode(result.chiSquare.isFinite ? result.chiSquare : nil, forKey: .chiSquare)
        try container.encode(result.degreesOfFreedom, forKey: .degreesOfFreedom)
        try container.encode(result.p, forKey: .p)
        try container.encode(verdict == .mismatch, forKey: .mismatch)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(variations, forKey: .variations)
        try container.encode(causes, forKey: .causes)
    }
}

extension SampleRatioReport.Variation {
    /// The key, or else the id.
    public var name: String { key ?? id }
}

extension BucketShares.Arm {
    /// The key, if the variation has one, and the id.
    fileprivate var names: [String] { [variationKey, variationID].compactMap(\.self) }
}
