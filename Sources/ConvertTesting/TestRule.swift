public import ConvertECMAScript
import ConvertSwiftSDKCore

/// A rule over a visitor's attributes, or over location properties.
///
///     .equals("plan", "pro") && (.less("visits", 3) || .exists("coupon"))
///
/// The rule is evaluated like the rules of a config. An absent attribute meets no comparison, negated or not, except
/// ``exists(_:)`` and ``absent(_:)``.
public struct TestRule: Sendable {
    /// Alternatives. In each, all clauses must hold, and in each clause any leaf.
    private var blocks: [[[RuleLeaf]]]

    private init(blocks: [[[RuleLeaf]]]) { self.blocks = blocks }

    /// A comparison with any operator of a config's rules, such as `regexMatches`.
    ///
    /// - Parameters:
    ///   - key: the attribute's name.
    ///   - operator: the operator's name. With an unknown name, the rule never matches.
    ///   - value: the value to compare with; `nil` for operators that only check presence.
    public static func compare(_ key: String, _ operator: String, _ value: JSValue? = nil) -> TestRule {
        let leaf = RuleLeaf(
            ruleType: "generic_text_key_value", key: key, value: value,
            matching: .operation(matchType: `operator`, negated: false))
        return TestRule(blocks: [[[leaf]]])
    }

    /// The attribute's text equals the text of `value`, ignoring case.
    public static func equals(_ key: String, _ value: JSValue) -> TestRule { compare(key, "equals", value) }

    /// The attribute's text equals the text of a Swift value, ignoring case.
    @_disfavoredOverload
    public static func equals(_ key: String, _ value: some JSValueConvertible) -> TestRule {
        equals(key, value.jsValue)
    }

    /// The attribute's text contains `text`, ignoring case.
    public static func contains(_ key: String, _ text: String) -> TestRule { compare(key, "contains", .string(text)) }

    /// The attribute's text begins with `text`, ignoring case.
    public static func startsWith(_ key: String, _ text: String) -> TestRule {
        compare(key, "startsWith", .string(text))
    }

    /// The attribute's text ends with `text`, ignoring case.
    public static func endsWith(_ key: String, _ text: String) -> TestRule { compare(key, "endsWith", .string(text)) }

    /// The attribute's text, or a part of it between `|` signs, equals one of `values` in lower case. A text with
    /// capital letters therefore never matches, as in the JavaScript SDK.
    public static func isIn(_ key: String, _ values: [String]) -> TestRule {
        compare(key, "isIn", .array(values.map { .string($0) }))
    }

    /// The attribute is a number, or a numeric text, less than `number`.
    public static func less(_ key: String, _ number: Double) -> TestRule { compare(key, "less", JSValue(number)) }

    /// The attribute is a number, or a numeric text, less than or equal to `number`.
    public static func lessOrEqual(_ key: String, _ number: Double) -> TestRule {
        compare(key, "lessEqual", JSValue(number))
    }

    /// The attribute is present, and neither `null` nor empty.
    public static func exists(_ key: String) -> TestRule { compare(key, "exists") }

    /// The attribute is absent, `null` or empty.
    public static func absent(_ key: String) -> TestRule { compare(key, "doesNotExist") }

    /// At least one of the rules holds.
    public static func || (left: TestRule, right: TestRule) -> TestRule {
        TestRule(blocks: left.blocks + right.blocks)
    }

    /// Both rules hold. The number of alternatives is the product of the rules' numbers.
    public static func && (left: TestRule, right: TestRule) -> TestRule {
        TestRule(blocks: left.blocks.flatMap { first in right.blocks.map { first + $0 } })
    }

    /// The rule with every comparison inverted.
    public static prefix func ! (rule: TestRule) -> TestRule {
        rule.blocks.map { clauses in
            TestRule(blocks: clauses.map { leaves in leaves.map { [$0.negated] } })
        }.reduce(TestRule(blocks: [[]])) { $0 && $1 }
    }

    /// The rule in the form of a config.
    var tree: RuleTree {
        RuleTree(
            blocks: blocks.map { clauses in
                RuleTree.Block(clauses: clauses.map { RuleTree.Clause(leaves: $0) })
            })
    }
}

extension RuleLeaf {
    fileprivate var negated: RuleLeaf {
        guard case .operation(let matchType, let negated) = matching else { return self }
        var leaf = self
        leaf.matching = .operation(matchType: matchType, negated: .bool(negated?.boolValue != true))
        return leaf
    }
}
