internal import ConvertECMAScript

/// A problem during rule evaluation that an operator can fix. The warning quotes the config's rule, and never the
/// visitor's value.
public struct DecisionWarning: Sendable, Hashable, CustomStringConvertible {
    /// The name of the attribute that the condition reads; `nil` if the condition names no attribute.
    public let key: String?

    /// The condition's operator, such as `regexMatches`.
    public let matchType: String

    /// The condition's value: a pattern, or another value to compare with.
    public let pattern: String

    /// What happened and what to do, in one line.
    public var description: String {
        "\(matchType.excerpt()) on '\((key ?? "").excerpt())' was given up and counts as no match: "
            + "\(pattern.excerpt(200)) and the call's earlier comparisons together take too many steps, and later "
            + "conditions may be skipped; simplify nested repetitions in patterns, or shorten the attribute."
    }
}

extension Project {
    /// The budget of one call.
    var callBudget: CallBudget { CallBudget(steps: options.callSteps) }

    /// The warning that a condition of the program was abandoned.
    func warning(about condition: Int) -> DecisionEffect {
        let condition = program.originals[condition]
        return .warn(
            DecisionWarning(
                key: condition.key, matchType: condition.matchType, pattern: ECMAScript.toString(condition.value)))
    }
}
