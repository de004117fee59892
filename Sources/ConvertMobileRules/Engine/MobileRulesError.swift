internal import ConvertECMAScript

/// Why rules or an archive of rules were rejected as a whole. The rules that were loaded before stay in effect.
public struct MobileRulesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The bytes are not JSON: they are empty, truncated, not UTF-8, or nested deeper than 512 arrays and objects.
        public static let invalidJSON = Code(name: "invalidJSON")
        /// A required member is missing.
        public static let missingMember = Code(name: "missingMember")
        /// A member has the wrong type, or is out of range.
        public static let wrongType = Code(name: "wrongType")
        /// A condition's type is not `group`, `matcher` or `historical`.
        public static let unknownConditionType = Code(name: "unknownConditionType")
        /// Conditions are nested deeper than ``MobileRulesLimits/conditionDepth``.
        public static let nestedTooDeep = Code(name: "nestedTooDeep")
        /// The archive is damaged or of an unsupported kind, for example encrypted.
        public static let invalidArchive = Code(name: "invalidArchive")
        /// The archive or its contents exceed a limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// The archive has no `rules.json` at its top level.
        public static let noRules = Code(name: "noRules")
        /// The server did not respond with rules.
        public static let badResponse = Code(name: "badResponse")
        /// The calling task was cancelled before the load ended.
        public static let cancelled = Code(name: "cancelled")
        /// The network, a file or the cache could not be read.
        public static let unreachable = Code(name: "unreachable")
    }

    /// The kind of error.
    public let code: Code

    /// Index of the rule with the error; `nil` if the error is not in a rule.
    public let ruleIndex: Int?

    /// The place: a JSON path such as `$.rules[3].condition.type`, the path of an archive's entry, a URL or a file.
    public let place: String

    /// What is wrong and how to fix it, in one sentence.
    public let message: String

    /// The place and the message, on one line.
    public var description: String { "\(place): \(message)" }

    package init(_ code: Code, at place: String, _ message: String, ruleIndex: Int? = nil) {
        self.code = code
        // Both may quote a document, an archive or a server.
        self.place = place.onOneLine
        self.message = message.onOneLine
        self.ruleIndex = ruleIndex
    }
}
