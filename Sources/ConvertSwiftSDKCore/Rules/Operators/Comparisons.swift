package import ConvertECMAScript

/// The dispatch table: what every operator does, a line each. What an operator means stands in the file of its family.
///
/// Seven subtle behaviours, in the order of `ComparisonsTests`:
/// 1. `equals`, `equalsNumber` and `matches` are one comparison of text without regard to case: ``Equality``.
/// 2. `contains` looks for the rule's text in the visitor's, without regard to case; a blank one is in every text:
///    ``TextSearch``.
/// 3. `startsWith` and `endsWith` disregard case: ``TextSearch``.
/// 4. `less` and `lessEqual` hold of no side that is no number, unless both are texts or both are something else; what counts
///    as a number is ``NumericShape``'s: ``Order``.
/// 5. `regexMatches` ignores case; an invalid pattern does not match: ``Pattern``.
/// 6. `isIn` lowercases the list and not the value; empty parts count: ``Membership``.
/// 7. `exists`, `not_exists` and `doesNotExist` take the empty text for absent: ``Presence``.
///
/// Negation is applied last and in one place, ``Truth/holds(negated:)``, and an unknown operator holds neither way.
package enum Comparisons {
    /// The operators by their names on the wire.
    static let names =
        Equality.names + Order.names + TextSearch.names + Membership.names + Pattern.names + Presence.names
        + MobileMatching.names

    /// The row of a comparison, with the rule's value prepared.
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

    /// The answer if precomputed numbers alone decide it, of an attribute that is a scalar; else `nil`.
    @inline(__always)
    static func quickAnswer(_ comparison: Comparison) -> Bool? {
        switch comparison.row.operand {
        case .textID: Equality.holds(comparison)
        case .number where comparison.attribute.isNumber: Order.holds(comparison)
        case .fewTexts where !comparison.attribute.hasBar: Membership.holds(comparison)
        default: nil
        }
    }

    /// The answer to a comparison.
    static func truth(_ comparison: Comparison) -> Truth {
        if comparison.attribute.isScalar, let holds = quickAnswer(comparison) { return Truth(holds) }
        return slowAnswer(comparison)
    }

    /// The answer to a comparison for which ``quickAnswer(_:)`` gives none.
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

    /// Compares a value with a rule's, as a condition of a rule graph would.
    ///
    ///     Comparisons.evaluate(matchType: "contains", value: "Summer Sale", testAgainst: "sale")  // true
    ///
    /// - Parameters:
    ///   - matchType: the operator's name on the wire, one of JavaScript's operators or of the mobile matchers.
    ///   - value: the visitor's side; `nil` is JavaScript's `undefined`, and an absent attribute under
    ///     ``RuleSemantics/flat``.
    ///   - testAgainst: the rule's side; `nil` is `undefined`. A mobile matcher compares with each element of an array.
    ///   - negated: whether to invert the result.
    ///   - semantics: which operators are known, and what they answer where the profiles differ.
    /// - Returns: whether the comparison holds; `false`, negated or not, for an unknown operator and wherever JavaScript
    ///   throws. Both sides are prepared anew at each call; rule sets do it once.
    package static func evaluate(
        matchType: String, value: JSValue?, testAgainst: JSValue?, negated: Bool = false,
        semantics: RuleSemantics = .standard
    ) -> Bool {
        let condition = RuleCondition(key: "", matchType: matchType, value: testAgainst, negation: negated)
        let rules = SingleRuleSet([RuleGroup(clauses: [[condition]])], semantics: semantics)
        return rules.verdict(answeredBy: SingleValue(value: value)).isMatch
    }
}

/// Rule data that has one value for all conditions.
private struct SingleValue: RuleData {
    let value: JSValue?

    func answer(for condition: RuleCondition) -> RuleDataAnswer { .value(value) }
}
