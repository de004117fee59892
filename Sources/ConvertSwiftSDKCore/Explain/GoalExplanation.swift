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
    /// Explains how a conversion would end.
    package func explain(
        _ key: String, for visitor: borrowing Visitor, options: ConversionOptions = ConversionOptions()
    ) -> GoalExplanation {
        var copy = visitor.copy()
        var rules: Explanation.RuleSet?
        let conversion = trackConversion(key, for: &copy, options: options) { compiled, attributes, budget in
            let (verdict, set) = project.explain(compiled, of: .goal(key: key), on: &attributes, &budget)
            rules = set
            return verdict
        }
        return GoalExplanation(goalKey: key, visitorID: visitor.id, outcome: conversion.outcome, rules: rules)
    }
}

extension Project {
    /// Evaluates rules on a set of properties, and explains the result.
    func explain(
        _ rules: CompiledRules, of subject: RuleSubject, on attributes: inout Attributes, _ budget: inout CallBudget
    ) -> (RuleVerdict, Explanation.RuleSet) {
        let recorder = DecisionRecorder(self, visitorID: "")
        recorder.willEvaluate(subject, against: attributes.copy())
        let verdict = self.rules.evaluate(rules, against: &attributes, &budget, observer: recorder)
        return (verdict, recorder.ruleSet(verdict))
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
