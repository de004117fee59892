/// Receives each step of an evaluation. Observers are passed by value, so an observer that collects steps must be a
/// class.
package protocol RuleObserver {
    /// `group` is counted from the first group of the rule set.
    func willEvaluate(group: Int)
    /// `group` is counted from the first group of the rule set.
    func didEvaluate(group: Int, _ verdict: RuleVerdict)
    /// `clause` is an index into the program.
    func didEvaluate(clause: Int, _ verdict: RuleVerdict)
    /// `condition` is an index into the program. `truth` is the answer before the condition's negation.
    func didEvaluate(condition: Int, _ truth: Truth)
}

/// Ignores every step.
package struct SilentObserver: RuleObserver {
    package init() {}
    package func willEvaluate(group: Int) {}
    package func didEvaluate(group: Int, _ verdict: RuleVerdict) {}
    package func didEvaluate(clause: Int, _ verdict: RuleVerdict) {}
    package func didEvaluate(condition: Int, _ truth: Truth) {}
}
