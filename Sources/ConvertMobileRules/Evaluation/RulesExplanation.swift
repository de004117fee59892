public import ConvertECMAScript

/// Which conditions of which rules held for an event, and what was compared.
///
/// A value of its own, Codable for programs. Every condition is asked, also those that a rule's answer does not need.
public struct RulesExplanation: Sendable, Encodable {
    /// The event's type.
    public let eventType: String
    /// The event's source.
    public let eventSource: String
    /// All rules, in order.
    public let rules: [Rule]

    /// One rule.
    public struct Rule: Sendable, Encodable {
        /// Its index.
        public let index: Int
        /// Whether the event matches it.
        public let matches: Bool
        /// The ids of its consequences.
        public let consequences: [String]
        /// What its condition came to.
        public let condition: Condition
    }

    /// One condition.
    public struct Condition: Sendable, Encodable {
        /// What it is: `group`, `matcher`, `historical`, or `unusable` for one that cannot be understood.
        public let kind: String
        /// Whether it held; `nil` for one that is left out of its group.
        public let holds: Bool?
        /// What was asked, in a few words.
        public let detail: String
        /// The event's value that a matcher saw, `nil` if it was missing.
        public internal(set) var value: JSValue?
        /// What a historical condition counted: -1 if a look-up failed.
        public internal(set) var count: Int?
        /// A group's members, in order.
        public internal(set) var conditions: [Condition] = []
    }
}
