public import ConvertECMAScript

/// A leaf of a rule graph: one comparison of an attribute with a value.
public struct RuleLeaf: Sendable, Equatable {
    /// The member `matching`.
    public enum Matching: Sendable, Equatable {
        /// It is missing or no object.
        case missing
        /// It is `null`, which makes the reference throw.
        case null
        /// The operator and the negation as they stand; an operator that is no text is absent.
        case operation(matchType: String?, negated: JSValue?)
    }

    /// The family of the rule, `rule_type`: `generic_text_key_value`, `country`, `cookie` and so on.
    public var ruleType: String?

    /// The attribute's name, if the leaf has one and it is text.
    public var key: String?

    /// Whether the leaf has a `key` that is neither text nor `null`. To JavaScript that is no key at all; where a leaf
    /// without key is looked up under its `rule_type`, it never matches.
    public var isKeyMalformed = false

    /// The rule's side of the comparison; absent when the leaf has no `value`.
    public var value: JSValue?

    /// How to compare.
    public var matching: Matching

    /// A leaf.
    public init(ruleType: String?, key: String?, value: JSValue?, matching: Matching) {
        self.ruleType = ruleType
        self.key = key
        self.value = value
        self.matching = matching
    }
}

extension RuleLeaf {
    /// Reads a leaf of any shape.
    init(_ cursor: JSONCursor) {
        let key = cursor[.key]
        self.init(
            ruleType: cursor[.ruleType]?.text, key: key?.text, value: cursor[.value]?.value,
            matching: Matching(cursor[.matching]))
        isKeyMalformed = self.key == nil && key?.isNull == false
    }
}

extension RuleLeaf.Matching {
    fileprivate init(_ cursor: JSONCursor?) {
        switch cursor?.kind {
        case .null: self = .null
        case .object:
            self = .operation(matchType: cursor?[.matchType]?.text, negated: cursor?[.negated]?.value)
        default: self = .missing
        }
    }
}
