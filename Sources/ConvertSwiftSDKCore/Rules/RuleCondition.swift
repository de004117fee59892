public import ConvertECMAScript

/// One comparison of an attribute with a rule's value.
public struct RuleCondition: Sendable {
    /// Why a condition never holds, whatever the attribute's value.
    public enum Defect: Sendable, Hashable {
        /// The condition is incomplete, or has an unknown operator. Negation does not apply to it.
        case invalid(String)
        /// The condition or its `matching` is `null`. The JavaScript SDK throws when evaluation reaches it.
        case null
    }

    /// The contents of the condition; `nil` for a `null`.
    let leaf: RuleLeaf?

    /// The semantics under which a config's leaf is read; `nil` for a condition made in code, which never has a defect.
    private let semantics: RuleSemantics?

    /// Creates the condition of a config's leaf under `semantics`; a `nil` leaf stands for a `null`.
    init(_ leaf: RuleLeaf?, under semantics: RuleSemantics) {
        if case .null? = leaf?.matching { self.leaf = nil } else { self.leaf = leaf }
        self.semantics = semantics
    }

    /// Creates a condition without a defect. With an unknown operator, the condition never holds; without a key, its
    /// attribute is always absent.
    public init(key: String?, matchType: String, value: JSValue?, negation: Bool = false, ruleType: String? = nil) {
        let matching = RuleLeaf.Matching.operation(matchType: matchType, negated: .bool(negation))
        leaf = RuleLeaf(ruleType: ruleType, key: key, value: value, matching: matching)
        semantics = nil
    }

    /// The attribute's name; `nil` if the condition has no name, in which case the attribute is always absent. U+FFFD
    /// replaces characters that a Swift string cannot hold.
    public var key: String? { attribute?.text }

    /// The attribute's name in the form that look-ups compare.
    package var attribute: PropertyKey? {
        if let name = leaf?.attribute { return name }
        guard let semantics, semantics.looksUpRuleType else { return nil }
        return leaf?.ruleType.map { PropertyKey($0) }
    }

    /// The operator's name in the config, such as `equals`; empty if there is no operator.
    public var matchType: String {
        if case .operation(let name?, _)? = leaf?.matching { name } else { "" }
    }

    /// The rule's side of the comparison; `nil` if the leaf has no value.
    public var value: JSValue? { leaf?.value }

    /// Whether the result is inverted.
    public var negation: Bool {
        if case .operation(_, .bool(let flag)?)? = leaf?.matching { flag } else { false }
    }

    /// The rule's family, such as `generic_text_key_value`; `nil` if the leaf has no rule type. ``RuleData`` usually
    /// distinguishes conditions by their rule type.
    public var ruleType: String? { leaf?.ruleType }

    /// Why the condition never holds; `nil` for a condition without a defect.
    public var defect: Defect? {
        guard let leaf else { return .null }
        return semantics.flatMap { RuleAdapter(semantics: $0).defect(of: leaf) }.map(Defect.invalid)
    }
}

extension RuleCondition: Equatable {
    /// Whether two conditions have the same contents and the same defect.
    public static func == (left: RuleCondition, right: RuleCondition) -> Bool {
        left.attribute == right.attribute && left.matchType == right.matchType && left.value == right.value
            && left.negation == right.negation && left.ruleType == right.ruleType && left.defect == right.defect
    }
}
