public import ConvertECMAScript

/// One comparison of an attribute with a rule's value.
public struct RuleCondition: Sendable {
    /// Why a condition never holds, whatever the attribute.
    public enum Defect: Sendable, Hashable {
        /// It is incomplete, or names an operator that is not known. It is never negated.
        case invalid(String)
        /// A `null` stands in its place or in its `matching`. The reference throws when it gets here.
        case null
    }

    /// What the condition says; `nil` for a `null`.
    let leaf: RuleLeaf?

    /// How a leaf of a config is read; `nil` for a condition made in code, which is taken as it stands.
    private let semantics: RuleSemantics?

    /// The condition that `semantics` make of a config's leaf; `nil` is a `null` in place of one.
    init(_ leaf: RuleLeaf?, under semantics: RuleSemantics) {
        if case .null? = leaf?.matching { self.leaf = nil } else { self.leaf = leaf }
        self.semantics = semantics
    }

    /// A sound condition.
    public init(key: String?, matchType: String, value: JSValue?, negation: Bool = false, ruleType: String? = nil) {
        let matching = RuleLeaf.Matching.operation(matchType: matchType, negated: .bool(negation))
        leaf = RuleLeaf(ruleType: ruleType, key: key, value: value, matching: matching)
        semantics = nil
    }

    /// The attribute's name; `nil` if the condition names none, and then the attribute is always absent. It has U+FFFD where
    /// Swift text cannot hold it.
    public var key: String? { attribute?.text }

    /// The attribute's name as it is looked up.
    package var attribute: PropertyKey? {
        if let name = leaf?.attribute { return name }
        guard let semantics, semantics.looksUpRuleType else { return nil }
        return leaf?.ruleType.map { PropertyKey($0) }
    }

    /// The operator as it stands on the wire, such as `equals`; empty if there is none.
    public var matchType: String {
        if case .operation(let name?, _)? = leaf?.matching { name } else { "" }
    }

    /// The rule's side of the comparison; `nil` if the leaf has none.
    public var value: JSValue? { leaf?.value }

    /// Whether the result is inverted.
    public var negation: Bool {
        if case .operation(_, .bool(let flag)?)? = leaf?.matching { flag } else { false }
    }

    /// The rule's family, such as `generic_text_key_value`, which ``RuleData`` is asked by.
    public var ruleType: String? { leaf?.ruleType }

    /// Why it never holds; `nil` for a sound condition.
    public var defect: Defect? {
        guard let leaf else { return .null }
        return semantics.flatMap { RuleAdapter(semantics: $0).defect(of: leaf) }.map(Defect.invalid)
    }
}

extension RuleCondition: Equatable {
    /// Whether two conditions say the same.
    public static func == (left: RuleCondition, right: RuleCondition) -> Bool {
        left.attribute == right.attribute && left.matchType == right.matchType && left.value == right.value
            && left.negation == right.negation && left.ruleType == right.ruleType && left.defect == right.defect
    }
}
