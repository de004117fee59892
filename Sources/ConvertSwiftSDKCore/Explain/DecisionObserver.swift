/// Is told every step of a decision. What a step says is computed only if somebody listens.
protocol DecisionObserver: RuleObserver {
    /// A gate was passed or closed.
    mutating func didReach(_ gate: Explanation.Gate.Kind, passed: Bool, _ detail: @autoclosure () -> String)
    /// A rule set is about to be evaluated, against `attributes` unless rule data answers.
    mutating func willEvaluate(_ subject: @autoclosure () -> String, against attributes: Attributes?)
    /// The rule set was evaluated.
    mutating func didEvaluate(rules verdict: RuleVerdict)
    /// The visitor was hashed.
    mutating func didBucket(_ trace: @autoclosure () -> Explanation.Bucketing)
}
