public import ConvertECMAScript

/// Why a visitor sees what they see in one experience: every gate, audience, group, clause and condition that was
/// reached, what was compared with what, and how the visitor was hashed.
public struct Explanation: Sendable, Codable, Hashable {
    /// The experience's key, as asked for.
    public let experienceKey: String
    /// The visitor's id.
    public let visitorID: String
    /// The answers to the open questions under which it was decided.
    public let semantics: RuleSemantics
    /// The variation's key or id, or `nil` if there is none.
    public let variation: String?
    /// Where the decision came from, or `nil` if there is none.
    public let source: BucketedVariation.Source?
    /// Why there is no variation, or `nil` if there is one.
    public let reason: Decision.Reason?
    /// The gates in the order in which they were reached; the last one may be closed.
    public internal(set) var gates: [Gate]
    /// How the visitor was hashed, if it came to that.
    public internal(set) var bucketing: Bucketing?

    /// One gate on the way to a decision.
    public struct Gate: Sendable, Codable, Hashable {
        /// The gates, in the order in which they are reached.
        public enum Kind: String, Sendable, Codable, Hashable {
            case preview, archived, environment, storedDecision, location, audiences, segments, variations, selection
        }

        /// Which gate it is.
        public let kind: Kind
        /// Whether it let the visitor pass.
        public let passed: Bool
        /// What was found, for people.
        public let detail: String
        /// The rule sets that were evaluated.
        public let rules: [RuleSet]
    }

    /// One rule set: an audience's, a location's or a site area's.
    public struct RuleSet: Sendable, Codable, Hashable {
        /// Whose rules they are.
        public let subject: String
        /// What came of them.
        public internal(set) var verdict: Verdict
        /// The groups that were reached, in order.
        public internal(set) var groups: [Group]
    }

    /// One group: all of its clauses must hold.
    public struct Group: Sendable, Codable, Hashable {
        /// What came of it.
        public internal(set) var verdict: Verdict
        /// The clauses that were reached, in order.
        public internal(set) var clauses: [Clause]
    }

    /// One clause: its conditions are alternatives, unless the semantics say otherwise.
    public struct Clause: Sendable, Codable, Hashable {
        /// What came of it.
        public internal(set) var verdict: Verdict
        /// The conditions that were reached, in order.
        public internal(set) var conditions: [Condition]
    }

    /// One comparison.
    public struct Condition: Sendable, Codable, Hashable {
        /// The attribute's name, if the condition names one.
        public let key: String?
        /// The attribute's value; `nil` if it is absent, or rule data answered.
        public let attribute: JSValue?
        /// The operator.
        public let matchType: String
        /// The rule's value, if it has one.
        public let value: JSValue?
        /// Whether the result is inverted.
        public let negation: Bool
        /// What came of it, negation included.
        public let verdict: Verdict
    }

    /// How the visitor was hashed.
    public struct Bucketing: Sendable, Codable, Hashable {
        /// The text whose UTF-8 was hashed.
        public let hashInput: String
        /// The hash's seed.
        public let seed: UInt32
        /// Bucket values lie below this.
        public let maxTraffic: Double
        /// The bucket value.
        public let value: Int
        /// The layout that the experience's version asks for.
        public let layout: BucketLayoutKind
        /// The arms' ranges, in the order in which they are looked at.
        public let ranges: [Range]

        /// One arm's range of bucket values.
        public struct Range: Sendable, Codable, Hashable {
            /// The variation's id.
            public let variationID: String
            /// The variation's key, or `nil` if the config gives none.
            public let variationKey: String?
            /// The first value of the range.
            public let start: Double
            /// The end, which does not belong to it.
            public let end: Double
        }
    }

    /// What came of rules or a part of them.
    public enum Verdict: String, Sendable, Codable, Hashable {
        case notMatched, matched, needMoreData, noDataFound, malformed
        /// A regular expression took more steps than it may; the condition does not hold, negated or not.
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
