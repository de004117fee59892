internal import ConvertECMAScript

/// A comparison of the variations in a decision log with the allocations of its configs.
public struct SampleRatioLogReport: Sendable {
    /// The visitors of a variation.
    public struct Variation: Sendable, Equatable {
        /// The key, or else the id.
        public let name: String
        /// The number of visitors who got the variation.
        public let observed: Int
        /// The expected number: the sum of the allocations of the visitors' configs.
        public let expected: Double
    }

    /// A group of an experience's visitors.
    public struct Group: Sendable, Equatable {
        /// The visitors' common property: the config's revision, the day in UTC, or the value of the attribute.
        public let name: String
        /// The number of visitors.
        public let visitors: Int
        /// The probability of ever seeing as much evidence if the shares are right. It never rises while a log grows.
        ///
        /// For an experience, it combines the evidence of all visitors together and of each config's visitors alone.
        /// If several configs are given, that of the n-th is multiplied by 2n(n+1). That of a day or a segment is
        /// multiplied by their number, so that all of them together err as seldom as one.
        public let p: Double
        /// The verdict on the counts.
        public internal(set) var verdict: SampleRatioVerdict
        /// The variations, in the order of the configs.
        public let variations: [Variation]
        /// For a day, the probability for all visitors up to its end, in the order of the log; otherwise `nil`.
        public internal(set) var pSoFar: Double?
        /// For a config, the first day with a visitor that it decided; `nil` if the log has no times.
        public internal(set) var firstDay: String?
        /// For a segment with a mismatch, the break of its own visitors; otherwise `nil`.
        public internal(set) var brokeAt: Break?
    }

    /// An allocation before the log as the explanation of a mismatch of the newly assigned visitors. Together with the
    /// visitors who had a stored variation before, these agree with the allocation.
    public enum EarlierAllocation: String, Sendable, CaseIterable {
        /// The stored variations show that the allocation changed. The verdict is
        /// ``SampleRatioVerdict/notEnoughEvidence``.
        case evident
        /// The log does not show whether the allocation changed, or lines of first visits are missing. The verdict is
        /// ``SampleRatioVerdict/notEnoughEvidence``.
        case possible
        /// Visitors with a stored variation appear too late, so that lines of first visits are probably missing. The
        /// verdict is ``SampleRatioVerdict/mismatch``.
        case refuted

        /// Whether the verdict is no mismatch.
        var isAccepted: Bool { self != .refuted }
    }

    /// The start and the detection of a mismatch.
    public struct Break: Sendable, Equatable {
        /// The estimated first day of the mismatch; `nil` if the log has no times.
        public let day: String?
        /// The revision of the config that decided since then.
        public let config: String
        /// The number of the line at which the mismatch was detected, from 1. Blank lines, invalid lines and lines of
        /// configs that were not given are not counted.
        public let line: Int
        /// The time of the line; `nil` if the line has no time.
        public let time: String?
        /// The day of the line; `nil` if the log has no times.
        public let foundDay: String?
        /// The revision of that line's config.
        public let foundConfig: String
        /// The number of visitors up to this line.
        public let visitors: Int
    }

    /// A visitor who got two variations of one experience.
    public struct Crossover: Sendable, Equatable {
        /// The visitor's id.
        public let visitorID: String
        /// The first variation.
        public let from: String
        /// The second variation.
        public let to: String
        /// The revision of the config that decided the first one.
        public let fromConfig: String
        /// The revision of the config that decided the next one.
        public let toConfig: String
        /// The day of the second variation; `nil` if the log has no times.
        public let day: String?
    }

    /// One experience.
    public struct Experience: Sendable {
        /// The key.
        public let experienceKey: String
        /// The id.
        public let experienceID: String
        /// The key; the id is added if another experience of the configs has the same key.
        package let label: String
        /// The group of all visitors.
        public let whole: Group
        /// Whether an allocation before the log explains a mismatch of the newly assigned visitors; `nil` if there is
        /// no mismatch, or if together with the visitors who had a stored variation before, they do not agree with the
        /// allocation either.
        public let earlierAllocation: EarlierAllocation?
        /// The start and the detection of the mismatch; `nil` if there is no mismatch.
        public let brokeAt: Break?
        /// The first value of the attribute whose visitors alone show a mismatch; `nil` if no value does.
        public let firstBrokenSegment: String?
        /// The attribute whose values separate visitors into segments; `nil` if there are no segments.
        public let attribute: String?
        /// The visitors by config, in the order of first use.
        public let configs: [Group]
        /// The visitors by day.
        public let days: [Group]
        /// Whether the days in the log are in calendar order. If not, ``Group/pSoFar`` follows the order of the log.
        public let isInOrder: Bool
        /// The visitors by value of the attribute, the most frequent first; empty if no attribute was named.
        public let segments: [Group]
        /// The number of times that a visitor got another variation than before.
        public let crossoverCount: Int
        /// The first of these changes.
        public let crossovers: [Crossover]
        /// The decisions that the test leaves out.
        public let uncounted: Uncounted
        /// The variations that may be lost: none of the visitors without a variation under another allocation before
        /// has them now, although some almost certainly should. Each with the least expected number of these visitors,
        /// which are not counted.
        public let possiblyLost: [Variation]
        /// The share of visitors without a variation, by day and value, with its changes.
        public let undealt: Rate

        /// The verdict: a mismatch if all visitors together, or those of one config alone, show one. Never an agreement
        /// if some visitors got variations that their config does not give, or if a variation may be lost.
        public var verdict: SampleRatioVerdict {
            if !brokenConfigs.isEmpty { return .mismatch }
            let isDoubtful = uncounted.unknownVariations > 0 || !possiblyLost.isEmpty
            return whole.verdict == .agrees && isDoubtful ? .notEnoughEvidence : whole.verdict
        }

        /// The revisions of the configs whose visitors alone show a mismatch.
        public var brokenConfigs: [String] { configs.filter { $0.verdict == .mismatch }.map(\.name) }
    }

    /// An unavailable config, with the number of lines that name it.
    public struct UnknownConfig: Sendable, Equatable {
        /// The revision; `nil` for lines that name no config, while several are given.
        public let revision: String?
        /// The number of lines.
        public let lines: Int
    }

    /// The numbers of decisions and visitors that the test leaves out, by reason.
    public struct Uncounted: Sendable, Equatable {
        /// The number of visitors with a stored variation in their first line. The config that assigned it is unknown.
        public internal(set) var storedBefore = 0
        /// The number of visitors who had no variation under an earlier allocation. They can only have bucket values
        /// that it left free.
        public internal(set) var undealtBefore = 0
        /// The number of forced or previewed decisions.
        public internal(set) var forced = 0
        /// The number of decisions without a variation.
        public internal(set) var withoutVariation = 0
        /// The number of decisions with a variation that their config gives to no visitor, and that the visitor did not
        /// have before.
        public internal(set) var unknownVariations = 0
        /// The number of answers about features that may come from several variations, or from a variation without
        /// features, whose visitors the log does not show.
        public internal(set) var untoldFeatures = 0
    }

    /// The number of lines read.
    public let lines: Int
    /// The number of lines that are not valid log lines.
    public let errors: Int
    /// The first invalid lines.
    public let firstErrors: [RecordTally.RecordError]
    /// The unavailable configs that lines name, the most frequent first. Their lines are not counted.
    public let unknownConfigs: [UnknownConfig]
    /// Warnings about the environments that lines name.
    public let environmentWarnings: [LogEnvironmentWarning]
    /// The number of decisions with a variation of an experience that their config does not contain.
    public let unknownExperiences: Int
    /// The number of lines without a decision for a tested experience.
    public let linesWithoutDecision: Int
    /// The number of lines without a time in the form of RFC 3339. Their visitors count for no day.
    public let linesWithoutTime: Int
    /// The number of lines that are more than a minute earlier than some previous line.
    public let linesOutOfOrder: Int
    /// The decisions for tested experiences that the test leaves out.
    public let uncounted: Uncounted
    /// The number of decisions for visitors who were already counted.
    public let repeats: Int
    /// Whether every returning visitor was recognized. If `false`, there were too many visitors: some may be counted
    /// twice, and only a random part of them is counted in ``Experience/undealt``.
    public let recognizesAllVisitors: Bool
    /// The number of lines whose visitor has the attribute; `nil` if no attribute was named.
    public let linesWithAttribute: Int?
    /// The number of lines that withhold the attribute; `nil` if no attribute was named.
    public let linesWithholdingAttribute: Int?
    /// The experiences with visitors, and those named in the options, in config order.
    public let experiences: [Experience]

    /// Whether no visitor was counted, so that the test has no result.
    public var isEmpty: Bool { experiences.allSatisfy { $0.whole.visitors == 0 } }

    /// Whether lines could not be tested because they are invalid or do not fit the configs.
    public var hasErrors: Bool { errors > 0 || !unknownConfigs.isEmpty || uncounted.unknownVariations > 0 }

    /// Whether the counts of any experience contradict the allocations.
    public var isMismatch: Bool { experiences.contains { $0.verdict == .mismatch } }

    /// Whether the newly assigned visitors of any experience contradict its allocation, and the log does not show
    /// whether an allocation before the log explains that.
    public var isDoubtful: Bool { experiences.contains { $0.earlierAllocation == .possible } }
}

extension SampleRatioLogReport {
    /// The report as `srm --log --json` prints it.
    public var json: String {
        ECMAScript.jsonText(
            of: [
                "lines": .integer(lines), "errors": .integer(errors),
                "unknownConfigs": .array(
                    unknownConfigs.map { config in
                        ["config": JSValue(config.revision), "lines": .integer(config.lines)]
                    }),
                "environmentWarnings": environmentWarnings.value,
                "unknownExperiences": .integer(unknownExperiences),
                "linesWithoutDecision": .integer(linesWithoutDecision),
                "linesWithoutTime": .integer(linesWithoutTime), "linesOutOfOrder": .integer(linesOutOfOrder),
                "linesWithholdingAttribute": linesWithholdingAttribute.map { .integer($0) } ?? .null,
                "uncounted": uncounted.value, "repeats": .integer(repeats),
                "recognizesAllVisitors": .bool(recognizesAllVisitors),
                "mismatch": isEmpty ? .null : .bool(isMismatch), "experiences": .array(experiences.map(\.value)),
            ])
    }
}

extension SampleRatioLogReport.Experience {
    fileprivate var value: JSValue {
        var members = whole.members
        members["name"] = nil
        members["verdict"] = .string(verdict.rawValue)
        members["brokenConfigs"] = .array(brokenConfigs.map { .string($0) })
        members["experienceKey"] = .string(experienceKey)
        members["experienceId"] = .string(experienceID)
        members["method"] = "sequential"
        members["earlierAllocation"] = JSValue(earlierAllocation?.rawValue)
        members["uncounted"] = uncounted.value
        members["possiblyLost"] = .array(possiblyLost.map(\.value))
        members["undealt"] = undealt.value
        members["brokeAt"] = brokeAt?.value ?? .null
        members["firstBrokenSegment"] = JSValue(firstBrokenSegment)
        members["configs"] = .array(configs.map { .object($0.members) })
        members["daysInOrder"] = .bool(isInOrder)
        members["days"] = .array(days.map { .object($0.members) })
        members["segments"] = .array(segments.map { .object($0.members) })
        members["crossoverCount"] = .integer(crossoverCount)
        members["crossovers"] = .array(
            crossovers.map { visitor in
                [
                    "visitorId": .string(visitor.visitorID), "from": .string(visitor.from), "to": .string(visitor.to),
                    "fromConfig": .string(visitor.fromConfig), "toConfig": .string(visitor.toConfig),
                    "day": JSValue(visitor.day),
                ]
            })
        return .object(members)
    }
}

extension SampleRatioLogReport.Variation {
    fileprivate var value: JSValue {
        ["name": .string(name), "observed": .integer(observed), "expected": .number(expected)]
    }
}

extension SampleRatioLogReport.Group {
    fileprivate var members: JSObject {
        var members: JSObject = [
            "name": .string(name), "visitors": .integer(visitors), "p": .number(p),
            "verdict": .string(verdict.rawValue),
            "variations": .array(variations.map(\.value)),
        ]
        if let pSoFar { members["pSoFar"] = .number(pSoFar) }
        if let firstDay { members["firstDay"] = .string(firstDay) }
        if let brokeAt { members["brokeAt"] = brokeAt.value }
        return members
    }
}

extension SampleRatioLogReport.Break {
    fileprivate var value: JSValue {
        [
            "day": JSValue(day), "config": .string(config), "line": .integer(line),
            "time": JSValue(time), "foundDay": JSValue(foundDay),
            "foundConfig": .string(foundConfig), "visitors": .integer(visitors),
        ]
    }

    /// The start and the detection, such as `on DAY, under config A; found on DAY after 7 usable lines and 5
    /// visitors`.
    package var words: String {
        let since = (day.map { "on \($0), " } ?? "") + "under config \(config)"
        let amount = "\(line.counted("usable line")) and \(visitors.counted("visitor"))"
        let found = "found \(foundDay.map { "on \($0) " } ?? "")after \(amount)"
        return "\(since); \(found)" + (foundConfig == config ? "" : ", under config \(foundConfig)")
    }
}

extension SampleRatioLogReport.Group {
    /// The name for printing: an empty text becomes `""`.
    package var label: String { SampleRatioLogReport.label(of: name) }

    /// Replaces a mismatch that an allocation before the log explains.
    mutating func withdrawMismatch() {
        guard verdict == .mismatch else { return }
        verdict = .notEnoughEvidence
        brokeAt = nil
    }
}

extension SampleRatioLogReport {
    static func label(of name: String) -> String { name.isEmpty ? "\"\"" : name }
}

extension SampleRatioLogReport.Experience {
    /// The segments with a mismatch, in the order of ``segments``, each with its break.
    package var segmentBreaks: [(visitors: String, place: SampleRatioLogReport.Break)] {
        segments.compactMap { segment in segment.brokeAt.map { (visitors(of: segment.name), $0) } }
    }

    func visitors(of segment: String) -> String {
        "visitors with \(attribute ?? "the attribute") = \(SampleRatioLogReport.label(of: segment))"
    }

    /// The first segment that alone shows a mismatch, such as `DEVICE = phone`; `nil` if no segment does.
    package var firstBrokenVisitors: String? {
        firstBrokenSegment.map(visitors)
    }
}
