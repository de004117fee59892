/// Why rules or an archive of rules are refused as a whole. The rules loaded before stay.
public struct MobileRulesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The bytes are not JSON: empty, truncated, not UTF-8, or nested deeper than 512 arrays and objects.
        public static let invalidJSON = Code(name: "invalidJSON")
        /// A required member is missing.
        public static let missingMember = Code(name: "missingMember")
        /// A member is of another type than it must be, or out of range.
        public static let wrongType = Code(name: "wrongType")
        /// A condition's type is none of `group`, `matcher` and `historical`.
        public static let unknownConditionType = Code(name: "unknownConditionType")
        /// Conditions are nested deeper than ``MobileRulesLimits/conditionDepth``.
        public static let nestedTooDeep = Code(name: "nestedTooDeep")
        /// The archive is damaged or of a kind that is not read, such as an encrypted one.
        public static let invalidArchive = Code(name: "invalidArchive")
        /// The archive, or what it holds, exceeds a limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// The archive holds no `rules.json`.
        public static let noRules = Code(name: "noRules")
        /// The server did not answer with rules.
        public static let badResponse = Code(name: "badResponse")
        /// The task that asked was cancelled before there was an answer.
        public static let cancelled = Code(name: "cancelled")
        /// The network, a file or the cache cannot be read.
        public static let unreachable = Code(name: "unreachable")
    }

    /// What is wrong.
    public let code: Code

    /// Index of the rule it is found in, or `nil` outside of any rule.
    public let ruleIndex: Int?

    /// Where: a JSON path such as `$.rules[3].condition.type`, the path of an archive's entry, or a URL or file.
    public let place: String

    /// What is wrong and what to do, in a sentence.
    public let message: String

    /// Place and message in one line.
    public var description: String { "\(place): \(message)" }

    package init(_ code: Code, at place: String, _ message: String, ruleIndex: Int? = nil) {
        self.code = code
        self.place = place
        self.message = message
        self.ruleIndex = ruleIndex
    }
}

/// Something that was left out or did not work, and took nothing else down.
public struct MobileRulesWarning: Sendable, Hashable, CustomStringConvertible {
    /// Index of the rule concerned, or `nil` if it is none.
    public let ruleIndex: Int?

    /// Where: a JSON path into the rules, or what failed, such as `event history`.
    public let place: String

    /// What is wrong and what follows.
    public let message: String

    package init(at place: String, _ message: String, ruleIndex: Int? = nil) {
        self.place = place
        self.message = message
        self.ruleIndex = ruleIndex
    }

    /// Place and message in one line.
    public var description: String { "\(place): \(message)" }
}

/// The bounds that keep hostile input harmless. All of them are refused with an error or a warning, never a crash.
public enum MobileRulesLimits {
    /// Groups within groups that a rule may have.
    public static let conditionDepth = 128
    /// Arrays and objects within each other that an event's data may have; a deeper event matches no rule.
    public static let dataDepth = 512
    /// Bytes that the dotted names of everything in an event's data may come to; an event of more matches no rule.
    public static let flattenedLength = 256 << 20
    /// Bytes of a key in a condition or a token; a longer one cannot be understood.
    public static let keyLength = 4_096
    /// Bytes that may take the place of tokens for one event, together with the events it dispatches if
    /// ``MobileRulesEngine/processAll(_:)`` processes them; a consequence that needs more is left out.
    public static let expandedLength = 64 << 20
    /// Values that `add` and `mod` consequences may look at or make for one event, together with the events it dispatches
    /// as for ``expandedLength``; the consequence that needs more is left out, and those after it.
    public static let mergedValues = 1_000_000
    /// Events that the consequences of one event may dispatch; of more the rest are left out.
    public static let dispatchedEvents = 100
    /// Warnings kept of one document, and those that the observer is told of events until the rules change.
    public static let warnings = 200
    /// Values of a document, arrays and objects and what they hold counted alike. A document of more is refused; one of
    /// 1,000 rules has some 40,000.
    public static let documentValues = 2_000_000
    /// Bytes of an archive.
    public static let archiveLength = 32 << 20
    /// Bytes that all entries of an archive may have when inflated.
    public static let inflatedLength = 64 << 20
    /// Entries of an archive.
    public static let archiveEntries = 2_000
}
