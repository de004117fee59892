internal import ConvertECMAScript

/// Whether the variations in a decision log are those that its configs allocate.
public struct SampleRatioLogReport: Sendable {
    /// A variation's visitors.
    public struct Variation: Sendable, Equatable {
        /// The key, or else the id.
        public let name: String
        /// How many visitors got it.
        public let observed: Int
        /// How many should have: the sum over the visitors of what their configs allocate.
        public let expected: Double
    }

    /// Some of an experience's visitors.
    public struct Group: Sendable, Equatable {
        /// What they have in common: the config's digest, the day in UTC, or the value of the attribute.
        public let name: String
        /// How many they are.
        public let visitors: Int
        /// The probability of ever seeing as much evidence, if nothing is wrong. It never rises while a log grows.
        ///
        /// That of an experience counts what its visitors show together and what those of each config show alone. That
        /// of the n-th config that comes is multiplied by 2n(n+1), and that of a day or a segment by their number, so
        /// that all of them together err as seldom as one.
        public let p: Double
        /// What is to be made of it.
        public let verdict: SampleRatioVerdict
        /// The variations, in the order of the configs.
        public let variations: [Variation]
        /// Of a day, the probability of all visitors until its end, in the order of the log; else `nil`.
        public internal(set) var pSoFar: Double?
        /// Of a config, the first day with a visitor who was decided by it; `nil` if the log has no times.
        public internal(set) var firstDay: String?
        /// Of a segment with a mismatch, where its own visitors show it; else `nil`.
        public internal(set) var brokeAt: Break?
    }

    /// Since when visitors are not shared as allocated, and where that was found.
    public struct Break: Sendable, Equatable {
        /// The day since when, as far as the visitors until then tell; `nil` if the log has no times.
        public let day: String?
        /// The digest of the config that decided since then.
        public let config: String
        /// The number of the line with which the evidence sufficed, from 1, among those that were read without error.
        public let line: Int
        /// The time of that line.
        public let time: String?
        /// The day of that line; `nil` if the log has no times.
        public let foundDay: String?
        /// The digest of that line's config.
        public let foundConfig: String
        /// How many of the visitors had come by then.
        public let visitors: Int
    }

    /// A visitor who got two variations of one experience.
    public struct Crossover: Sendable, Equatable {
        /// The visitor's id.
        public let visitorID: String
        /// The first variation.
        public let from: String
        /// The next one.
        public let to: String
        /// The digest of the config that decided the first one.
        public let fromConfig: String
        /// The digest of the config that decided the next one.
        public let toConfig: String
        /// The day of the next one; `nil` if the log has no times.
        public let day: String?
    }

    /// One experience.
    public struct Experience: Sendable {
        /// The key.
        public let experienceKey: String
        /// The id.
        public let experienceID: String
        /// The key, with the id if another experience of the configs has the key too.
        package let label: String
        /// All visitors.
        public let whole: Group
        /// Since when there is a mismatch, and where it was found; `nil` without one.
        public let brokeAt: Break?
        /// The first value of the attribute whose visitors alone show a mismatch; `nil` if none does.
        public let firstBrokenSegment: String?
        /// The attribute by whose values visitors are counted apart; `nil` means none.
        public let attribute: String?
        /// The visitors by config, in the order in which configs were used first.
        public let configs: [Group]
        /// The visitors by day.
        public let days: [Group]
        /// Whether days follow each other in the log as in the calendar. If not, ``Group/pSoFar`` is that of another
        /// order.
        public let isInOrder: Bool
        /// The visitors by value of the attribute, the most frequent first; empty if none was named.
        public let segments: [Group]
        /// How often a visitor got another variation than before.
        public let crossoverCount: Int
        /// The first of these.
        public let crossovers: [Crossover]
        /// What of it is not counted.
        public let uncounted: Uncounted
        /// How many visitors have no variation, by day and value, and since when that is another rate.
        public let undealt: Rate

        /// What is to be made of it: a mismatch if all visitors together show one, or those of one config alone. Counts
        /// do not agree if some visitors got variations that their config does not give.
        public var verdict: SampleRatioVerdict {
            if !brokenConfigs.isEmpty { return .mismatch }
            return whole.verdict == .agrees && uncounted.unknownVariations > 0 ? .notEnoughEvidence : whole.verdict
        }

        /// The digests of the configs whose visitors alone show a mismatch.
        public var brokenConfigs: [String] { configs.filter { $0.verdict == .mismatch }.map(\.name) }
    }

    /// A config that was not given, and the lines that name it.
    public struct UnknownConfig: Sendable, Equatable {
        /// The digest; `nil` for lines that name no config, while several are given.
        public let digest: String?
        /// How many lines name it.
        public let lines: Int
    }

    /// What is not counted, by reason.
    public struct Uncounted: Sendable, Equatable {
        /// How many visitors had a stored variation when the log first has them. Which config dealt it is not known.
        public internal(set) var storedBefore = 0
        /// How many visitors had no variation under another allocation before they were dealt one. They can only have
        /// bucket values that it left free.
        public internal(set) var undealtBefore = 0
        /// How many decisions were forced or previewed.
        public internal(set) var forced = 0
        /// How many decisions have no variation.
        public internal(set) var withoutVariation = 0
        /// How many decisions have a variation that their config does not give to anybody.
        public internal(set) var unknownVariations = 0
        /// How many answers about features may be those of several variations, or of one without features, whose
        /// visitors the log does not show.
        public internal(set) var untoldFeatures = 0
    }

    /// How many lines were read.
    public let lines: Int
    /// How many of them could not be read as log lines.
    public let errors: Int
    /// The first of these.
    public let firstErrors: [RecordTally.RecordError]
    /// The configs of lines that were not given, the most frequent first. Their lines are not counted.
    public let unknownConfigs: [UnknownConfig]
    /// What is odd about the environments that lines name.
    public let environmentWarnings: [LogEnvironmentWarning]
    /// How many decisions have a variation of an experience that their config does not have.
    public let unknownExperiences: Int
    /// How many lines have no decision on an experience that is tested.
    public let linesWithoutDecision: Int
    /// How many lines have no time as in RFC 3339. Their visitors are in no day.
    public let linesWithoutTime: Int
    /// How many lines are more than a minute earlier than some line before them.
    public let linesOutOfOrder: Int
    /// What of the tested experiences is not counted.
    public let uncounted: Uncounted
    /// How many decisions are of visitors who were counted already.
    public let repeats: Int
    /// Whether every visitor who came again was recognized; `false` if there were too many.
    public let recognizesAllVisitors: Bool
    /// How many lines are of visitors who have the attribute; `nil` if none was named.
    public let linesWithAttribute: Int?
    /// How many lines withhold the attribute; `nil` if none was named.
    public let linesWithholdingAttribute: Int?
    /// The experiences with visitors, and those that were named, in config order.
    public let experiences: [Experience]

    /// Whether no visitor was counted, so that nothing was tested.
    public var isEmpty: Bool { experiences.allSatisfy { $0.whole.visitors == 0 } }

    /// Whether lines could not be tested because they and the configs do not belong together.
    public var hasErrors: Bool { errors > 0 || !unknownConfigs.isEmpty || uncounted.unknownVariations > 0 }

    /// Whether some experience's counts disagree with what its configs allocate.
    public var isMismatch: Bool { experiences.contains { $0.verdict == .mismatch } }
}

extension SampleRatioLogReport {
    /// The report as `srm --log --json` prints it.
    public var json: String {
        ECMAScript.jsonText(
            of: [
                "lines": .integer(lines), "errors": .integer(errors),
                "unknownConfigs": .array(
                    unknownConfigs.map { config in
                        ["config": JSValue(config.digest), "lines": .integer(config.lines)]
                    }),
                "environmentWarnings": .array(
                    environmentWarnings.map { warning in
                        [
                            "environment": .string(warning.environment), "lines": .integer(warning.lines),
                            "text": .string(warning.text),
                        ]
                    }),
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
        members["uncounted"] = uncounted.value
        members["undealt"] = undealt.value
        members["brokeAt"] = brokeAt?.value ?? .null
        members["firstBrokenSegment"] = JSValue(firstBrokenSegment)
        members["configs"] = .array(configs.map { .object($0.members) })
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

extension SampleRatioLogReport.Group {
    fileprivate var members: JSObject {
        var members: JSObject = [
            "name": .string(name), "visitors": .integer(visitors), "p": .number(p),
            "verdict": .string(verdict.rawValue),
            "variations": .array(
                variations.map { variation in
                    [
                        "name": .string(variation.name), "observed": .integer(variation.observed),
                        "expected": .number(variation.expected),
                    ]
                }),
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

    /// Since when, and where it was found, such as `on DAY, under config A; found on DAY at line 7, after 5 visitors`.
    package var words: String {
        let since = (day.map { "on \($0), " } ?? "") + "under config \(config)"
        let found = "found \(foundDay.map { "on \($0) " } ?? "")at line \(line), after \(visitors) visitors"
        return "\(since); \(found)" + (foundConfig == config ? "" : ", under config \(foundConfig)")
    }
}

extension SampleRatioLogReport.Group {
    /// The name as it is printed: an empty text is `""`.
    package var label: String { SampleRatioLogReport.label(of: name) }
}

extension SampleRatioLogReport {
    static func label(of name: String) -> String { name.isEmpty ? "\"\"" : name }
}

extension SampleRatioLogReport.Experience {
    /// The segments that show a mismatch, in the order of ``segments``, with where each of them broke.
    package var segmentBreaks: [(visitors: String, place: SampleRatioLogReport.Break)] {
        segments.compactMap { segment in segment.brokeAt.map { (visitors(of: segment.name), $0) } }
    }

    func visitors(of segment: String) -> String {
        "visitors with \(attribute ?? "the attribute") = \(SampleRatioLogReport.label(of: segment))"
    }

    /// Which visitors alone show a mismatch first, such as `DEVICE = phone`; `nil` if none do.
    package var firstBrokenVisitors: String? {
        firstBrokenSegment.map(visitors)
    }
}
