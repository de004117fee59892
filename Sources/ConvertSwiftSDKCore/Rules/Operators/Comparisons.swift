package import ConvertECMAScript

/// The dispatch table: one line for each operator. The meaning of an operator is in the file of its family.
///
/// Seven subtle behaviours, in the order of `ComparisonsTests`:
/// 1. `equals`, `equalsNumber` and `matches` are the same comparison: of text, ignoring case. See ``Equality``.
/// 2. `contains` searches the visitor's text for the rule's text, ignoring case. Every text contains a blank text. See
///    ``TextSearch``.
/// 3. `startsWith` and `endsWith` ignore case. See ``TextSearch``.
/// 4. `less` and `lessEqual` compare two numbers, two texts, or two other values of the same `typeof`. Between a number
///    and any other value they never hold. ``NumericShape`` defines which texts count as numbers. See ``Order``.
/// 5. `regexMatches` ignores case; an invalid pattern does not match. See ``Pattern``.
/// 6. `isIn` lowercases the list but not the value; empty parts count. See ``Membership``.
/// 7. For `exists`, `not_exists` and `doesNotExist`, an empty text does not exist. See ``Presence``.
///
/// Negation is applied last and in a single place, ``Truth/holds(negated:)``. A condition with an unknown operator
/// never holds, negated or not.
package enum Comparisons {
    /// The operators by their names in the config.
    static let names =
        Equality.names + Order.names + TextSearch.names + Membership.names + Pattern.names + Presence.names
        + MobileMatching.names

    /// Creates the row of a comparison, with a prepared rule value.
    static func row(_ operation: Operation, _ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        switch operation {
        case .equals: Equality.row(rule, &tables)
        case .less, .lessEqual: Order.row(operation, rule, &tables)
        case .contains, .startsWith, .endsWith: TextSearch.row(operation, rule, &tables)
        case .isIn: Membership.row(rule, &tables)
        case .regexMatches: Pattern.row(rule, &tables)
        case .exists, .notExists, .doesNotExist: Presence.row(operation)
        case .mobile(let matcher): MobileMatching.row(matcher, rule, &tables)
        }
    }

    /// The answer, if precomputed numbers alone decide it; otherwise `nil`. The attribute must be a scalar.
    @inline(__always)
    static func quickAnswer(_ comparison: Comparison) -> Bool? {
        switch comparison.row.operand {
        case .textID: Equality.holds(comparison)
        case .number where comparison.attribute.isNumber: Order.holds(comparison)
        case .fewTexts where !comparison.attribute.hasBar: Membership.holds(comparison)
        default: nil
        }
    }

    static func truth(_ comparison: Comparison) -> Truth {
        if comparison.attribute.isScalar, let holds = quickAnswer(comparison) { return Truth(holds) }
        return slowAnswer(comparison)
    }

    /// The answer to a comparison for which ``quickAnswer(_:)`` returns `nil`.
    @inline(never)
    static func slowAnswer(_ comparison: Comparison) -> Truth {
        if comparison.row.operand == .never { return .neither }
        if comparison.row.operand == .null { return .malformed }
        switch comparison.row.operation {
        case .exists: return Truth(Presence.exists(comparison.attribute))
        case .doesNotExist: return Truth(!Presence.exists(comparison.attribute))
        case .notExists: return Presence.notExists(comparison.attribute)
        case .mobile(let matcher): return MobileMatching.truth(comparison, matcher)
        case .equals: return comparison.isCompared ? Equality.truth(comparison) : .neither
        case .less, .lessEqual: return comparison.hasText ? Order.truth(comparison) : .neither
        case .contains, .startsWith, .endsWith: return comparison.hasText ? TextSearch.truth(comparison) : .neither
        case .isIn: return comparison.hasText ? Membership.truth(comparison) : .neither
        case .regexMatches: return comparison.hasText ? Pattern.truth(comparison) : .neither
        }
    }

    /// Compares a value with a rule's value, like a condition of a rule graph.
    ///
    ///     Comparisons.evaluate(matchType: "contains", value: "Summer Sale", testAgainst: "sale")  // true
    ///
    /// Each call prepares both values anew; a rule set prepares its values once.
    ///
    /// - Parameters:
    ///   - matchType: the operator's name in the config: one of JavaScript's operators or of the mobile matchers.
    ///   - value: the visitor's value; `nil` is JavaScript's `undefined`, and an absent attribute under
    ///     ``RuleSemantics/flat``.
    ///   - testAgainst: the rule's value; `nil` is `undefined`. A mobile matcher compares with each element of an
    ///     array.
    ///   - negated: whether to invert the result.
    ///   - semantics: determines which operators are known, and how they answer where the semantics differ.
    /// - Returns: whether the comparison holds; `false`, negated or not, for an unknown operator and wherever
    ///   JavaScript throws.
    package static func evaluate(
        matchType: String, value: JSValue?, testAgainst: JSValue?, negated: Bool = false,
        semantics: RuleSemantics = .standard
    ) -> Bool {
        let condition = RuleCondition(key: "", matchType: matchType, value: testAgainst, negation: negated)
        let rules = SingleRuleSet([RuleGroup(clauses: [[condition]])], semantics: semantics)
        return rules.verdict(answeredBy: SingleValue(value: value)).isMatch
    }
}

/// Rule data that returns the same value for all conditions.
private struct SingleValue: RuleData {
    let value: JSValue?

    func answer(for condition: RuleCondition) -> RuleDataAnswer { .value(value) }
}
