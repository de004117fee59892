import ConvertECMAScript
import ConvertSwiftSDKCore

/// A leaf as it stands on the wire.
func leaf(
    _ key: String?, _ matchType: String, _ value: JSValue?, negated: Bool = false,
    type: String = "generic_text_key_value"
) -> JSValue {
    var leaf: JSObject = [
        "rule_type": .string(type), "matching": ["match_type": .string(matchType), "negated": .bool(negated)],
    ]
    if let key { leaf["key"] = .string(key) }
    if let value { leaf["value"] = value }
    return .object(leaf)
}

/// A graph of one block, in which each element of `clauses` is the list of a clause's leaves.
func rules(_ clauses: [JSValue]...) -> JSValue { ["OR": [block(clauses)]] }

/// A block of `clauses`.
func block(_ clauses: [[JSValue]]) -> JSValue {
    ["AND": .array(clauses.map { ["OR_WHEN": .array($0)] })]
}

/// What becomes of `rules` as they stand on the wire.
func verdict(
    _ rules: JSValue, _ attributes: JSObject?, _ semantics: RuleSemantics, keysAreCaseSensitive: Bool = true
) throws -> RuleVerdict {
    let groups = RuleAdapter(semantics: semantics).flatten(RuleTree(rules))
    return SingleRuleSet(groups, semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
        .verdict(on: attributes)
}

/// Whether one condition holds on the attribute `k`.
func holds(
    _ matchType: String, _ value: JSValue?, attribute: JSValue?, negated: Bool = false,
    _ semantics: RuleSemantics = .standard
) -> Bool {
    let condition = RuleCondition(key: "k", matchType: matchType, value: value, negation: negated)
    let tree = RuleTree(
        blocks: [
            .init(clauses: [
                .init(leaves: [
                    RuleLeaf(
                        ruleType: "generic_text_key_value", key: condition.key, value: condition.value,
                        matching: .operation(matchType: matchType, negated: .bool(negated)))
                ])
            ])
        ])
    var attributes = JSObject()
    attributes["k"] = attribute
    return SingleRuleSet(RuleAdapter(semantics: semantics).flatten(tree), semantics: semantics)
        .evaluate(against: attributes)
}
