internal import ConvertECMAScript

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
        /// The archive holds no `rules.json` at its top.
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
        // Either may quote a document, an archive or a server.
        self.place = place.onOneLine
        self.message = message.onOneLine
        self.ruleIndex = ruleIndex
    }
}
