internal import ConvertECMAScript

/// Why a conversion counts or not. Explaining it stores and reports nothing.
public struct GoalExplanation: Sendable, Codable, Hashable {
    /// The key by which the goal was requested.
    public let goalKey: String
    /// The visitor's id.
    public let visitorID: String
    /// How the conversion would end.
    public let outcome: Conversion.Outcome
    /// The goal's rules; `nil` if they were not evaluated, because there is no rule data or the goal has no rules.
    public let rules: Explanation.RuleSet?
}

extension GoalManager {
    package func explain(
        _ key: String, for visitor: borrowing Visitor, options: ConversionOptions = ConversionOptions()
    ) -> GoalExplanation {
        var copy = visitor.copy()
        let recorder = DecisionRecorder(project, visitorID: visitor.id)
        let outcome = trackConversion(key, for: &copy, options: options, observer: recorder).value
        return GoalExplanation(goalKey: key, visitorID: visitor.id, outcome: outcome, rules: recorder.rules.first)
    }
}

extension GoalExplanation: CustomStringConvertible, ExplanationTree {
    /// The explanation as a tree of lines.
    public var description: String { tree }

    package var lines: [ExplanationLine] {
        [ExplanationLine(0, .init(outcome == .triggered), "goal \(goalKey) for \(visitorID): \(outcome.rawValue)")]
            + (rules?.lines.map { $0.indented(by: 1) } ?? [])
    }
}
