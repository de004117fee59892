internal import ConvertECMAScript
public import ConvertSwiftSDKCore

/// Whether an experience's visitors are shared among its variations as the config has it.
public struct SampleRatioReport: Sendable, Encodable {
    /// A variation with what was counted and what was to be expected.
    public struct Variation: Sendable, Encodable {
        /// The variation's key, if it has one.
        public let key: String?
        /// The variation's id.
        public let id: String
        /// The part of the experience's visitors that it should have, 0 to 1.
        public let share: Double
        /// The count that it should have.
        public let expected: Double
        /// The count that it has.
        public let observed: Int
    }

    /// The experience's key.
    public let experienceKey: String
    /// The experience's id.
    public let experienceID: String
    /// What the counts say.
    public let result: SampleRatioTest.Result
    /// What is to be made of it.
    public let verdict: SampleRatioVerdict
    /// The variations, in config order.
    public let variations: [Variation]
    /// What may have caused a mismatch, the likeliest first; empty without a mismatch.
    public let causes: [String]

    /// A report on an experience.
    ///
    /// - Parameters:
    ///   - experience: the experience, with the allocation that is expected.
    ///   - counts: the visitors of each variation, by key or id; a variation that is not named has none.
    ///   - isSequential: whether the test is to hold although counts are looked at again and again.
    ///   - semantics: how variations are found by their ids.
    ///   - minDifference: the smallest difference of a share that matters, from 0 to 1; `nil` means that every one
    ///     does.
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

    /// Encodes the report; a statistic that is infinite is `null`.
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
    /// The key if there is one, and the id.
    fileprivate var names: [String] { [variationKey, variationID].compactMap(\.self) }
}
