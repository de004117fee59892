public import ConvertECMAScript

/// The rules and conditions that held for an event, and the values that were compared.
///
/// The explanation keeps no reference to the rules. Every condition is evaluated, even if a rule's result does not
/// depend on it.
public struct RulesExplanation: Sendable, Encodable {
    /// The event's type.
    public let eventType: String
    /// The event's source.
    public let eventSource: String
    /// All rules, in order.
    public let rules: [Rule]

    /// One rule.
    public struct Rule: Sendable, Encodable {
        /// The rule's index.
        public let index: Int
        /// Whether the rule matches.
        public let matches: Bool
        /// The ids of the rule's consequences.
        public let consequences: [String]
        /// The result of the rule's condition.
        public let condition: Condition
    }

    /// One condition.
    public struct Condition: Sendable, Encodable {
        /// The kind: `group`, `matcher`, `historical`, or `unusable`.
        public let kind: String
        /// Whether the condition held; `nil` for a condition that is left out of its group.
        public let holds: Bool?
        /// The question, in a few words.
        public let detail: String
        /// The event's value that a matcher compared; `nil` if it was missing.
        public internal(set) var value: JSValue?
        /// The count or index of a historical condition, -1 if a look-up failed; `nil` for other conditions.
        public internal(set) var count: Int?
        /// A group's members, in order.
        public internal(set) var conditions: [Condition] = []
    }
}
