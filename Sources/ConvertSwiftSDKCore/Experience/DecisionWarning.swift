internal import ConvertECMAScript

/// Something that went wrong while rules were matched and that an operator can mend. It names the rule and never quotes
/// what it was matched against.
public struct DecisionWarning: Sendable, Hashable, CustomStringConvertible {
    /// The attribute that the condition reads, if it names one.
    public let key: String?

    /// The condition's pattern.
    public let pattern: String

    /// What happened and what to do, in a sentence.
    public var description: String {
        "regexMatches on '\((key ?? "").excerpt())' was given up and counts as no match: the pattern \(pattern.excerpt(200)) takes too many "
            + "steps; simplify its nested repetitions."
    }
}

/// Collects what was given up, and is silent about everything else.
struct WarningCollector: DecisionObserver {
    /// Indices into the program of the conditions that were given up.
    private(set) var abandoned: [Int] = []

    mutating func willEvaluate(group: Int) {}
    mutating func didEvaluate(group: Int, _ verdict: RuleVerdict) {}
    mutating func didEvaluate(clause: Int, _ verdict: RuleVerdict) {}
    mutating func didEvaluate(condition: Int, _ truth: Truth) {}
    mutating func didAbandon(condition: Int) { abandoned.append(condition) }
    mutating func didReach(_ gate: Explanation.Gate.Kind, passed: Bool, _ detail: @autoclosure () -> String) {}
    mutating func willEvaluate(_ subject: @autoclosure () -> String, against attributes: Attributes?) {}
    mutating func didEvaluate(rules verdict: RuleVerdict) {}
    mutating func didBucket(_ trace: @autoclosure () -> Explanation.Bucketing) {}
}

extension Project {
    /// The warnings about conditions that were given up, one per condition.
    func warnings(about conditions: [Int]) -> [DecisionEffect] {
        Set(conditions).sorted().map { index in
            let condition = program.sources[index]
            return .warn(DecisionWarning(key: condition.key, pattern: ECMAScript.toString(condition.value)))
        }
    }
}
