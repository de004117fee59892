internal import ConvertECMAScript

/// Something that went wrong while rules were matched and that an operator can mend. It quotes the config's rule and never
/// what it was matched against.
public struct DecisionWarning: Sendable, Hashable, CustomStringConvertible {
    /// The attribute that the condition reads, if it names one.
    public let key: String?

    /// The condition's pattern.
    public let pattern: String

    /// What happened and what to do, in a sentence.
    public var description: String {
        "regexMatches on '\((key ?? "").excerpt())' was given up and counts as no match: the pattern "
            + "\(pattern.excerpt(200)), with those that the call tried before it, takes too many steps, and later ones may not "
            + "have been tried; simplify its nested repetitions."
    }
}

extension Project {
    /// The patterns' budget of one call.
    var patternBudget: PatternBudget { PatternBudget(steps: options.patternSteps) }

    /// The warning about a condition of the program that was given up.
    func warning(about condition: Int) -> DecisionEffect {
        let condition = program.sources[condition]
        return .warn(DecisionWarning(key: condition.key, pattern: ECMAScript.toString(condition.value)))
    }
}
