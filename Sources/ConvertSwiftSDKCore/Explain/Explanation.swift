public import ConvertECMAScript

/// Why a visitor sees or does not see a variation of one experience.
///
/// An explanation contains every gate, rule set, group, clause and condition that was reached, the values that were
/// compared, and how the visitor was hashed.
public struct Explanation: Sendable, Codable, Hashable {
    /// The key by which the experience was requested.
    public let experienceKey: String
    /// The visitor's id.
    public let visitorID: String
    /// The rule semantics that the decision used.
    public let semantics: RuleSemantics
    /// The variation's key or id, or `nil` if no variation was selected.
    public let variation: String?
    /// The source of the decision, or `nil` if there is no variation.
    public let source: BucketedVariation.Source?
    /// Why there is no variation, or `nil` if there is one.
    public let reason: Decision.Reason?
    /// The gates in the order in which they were reached. Only the last one can be closed.
    public internal(set) var gates: [Gate]
    /// How the visitor was hashed; `nil` if the decision needed no hash.
    public internal(set) var bucketing: Bucketing?

    /// One gate on the way to a decision.
    public struct Gate: Sendable, Codable, Hashable {
        /// The gates, in the order in which they are reached.
        public enum Kind: String, Sendable, Codable, Hashable {
            case preview, archived, environment, storedDecision, location, audiences, segments, variations, selection
        }

        /// The kind of gate.
        public let kind: Kind
        /// Whether the visitor passed.
        public let passed: Bool
        /// What was found, as a sentence for a reader.
        public let detail: String
        /// The rule sets that were evaluated.
        public let rules: [RuleSet]
    }

    /// The rules of one audience, location, site area, segment or goal.
    public struct RuleSet: Sendable, Codable, Hashable {
        /// The entity that has the rules.
        public let subject: String
        /// The result of the rules.
        public internal(set) var verdict: Verdict
        /// The groups that were reached, in order.
        public internal(set) var groups: [Group]
    }

    /// One group: all of its clauses must hold.
    public struct Group: Sendable, Codable, Hashable {
        /// The result of the group.
        public internal(set) var verdict: Verdict
        /// The clauses that were reached, in order.
        public internal(set) var clauses: [Clause]
    }

    /// One clause: one of its conditions must hold. Under ``RuleSemantics/flat`` each condition is a clause.
    public struct Clause: Sendable, Codable, Hashable {
        /// The result of the clause.
        public internal(set) var verdict: Verdict
        /// The conditions that were reached, in order.
        public internal(set) var conditions: [Condition]
    }

    /// One comparison.
    public struct Condition: Sendable, Codable, Hashable {
        /// The attribute's name; `nil` if the condition names no attribute.
        public let key: String?
        /// The attribute's value; `nil` if it is absent, or if rule data answered.
        public let attribute: JSValue?
        /// The operator.
        public let matchType: String
        /// The rule's value, if it has one.
        public let value: JSValue?
        /// Whether the result is inverted.
        public let negation: Bool
        /// The result, after negation.
        public let verdict: Verdict
    }

    /// How the visitor was hashed.
    public struct Bucketing: Sendable, Codable, Hashable {
        /// The text whose UTF-8 was hashed.
        public let hashInput: String
        /// The hash's seed.
        public let seed: UInt32
        /// The number of bucket values, which lie in `0 ..< maxTraffic`.
        public let maxTraffic: Double
        /// The bucket value.
        public let value: Int
        /// The bucketing layout, which depends on the experience's version.
        public let layout: BucketLayoutKind
        /// The arms' ranges, in the order in which they are searched.
        public let ranges: [Range]

        /// One arm's range of bucket values.
        public struct Range: Sendable, Codable, Hashable {
            /// The variation's id.
            public let variationID: String
            /// The variation's key, or `nil` if the config has no key.
            public let variationKey: String?
            /// The first value of the range.
            public let start: Double
            /// The end of the range, which is not part of it.
            public let end: Double
        }
    }

    /// The result of rules, or of a group, clause or condition.
    public enum Verdict: String, Sendable, Codable, Hashable {
        case notMatched, matched, needMoreData, noDataFound, malformed
        /// The comparison took too many steps, or earlier comparisons of the call used them up. The condition does not
        /// hold, negated or not.
        case abandoned

        init(_ verdict: RuleVerdict) {
            switch verdict {
            case .notMatched: self = .notMatched
            case .matched: self = .matched
            case .needMoreData: self = .needMoreData
            case .noDataFound: self = .noDataFound
            case .malformed: self = .malformed
            }
        }
    }
}
