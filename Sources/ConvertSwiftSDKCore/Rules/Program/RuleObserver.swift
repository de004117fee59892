/// Receives each step of an evaluation. The compiler removes the silent one. Passed by value: an observer that keeps what
/// it sees is an object.
package protocol RuleObserver {
    /// `group` counts from the first one of the rule set.
    func willEvaluate(group: Int)
    /// `group` counts from the first one of the rule set.
    func didEvaluate(group: Int, _ verdict: RuleVerdict)
    /// `clause` is an index into the program.
    func didEvaluate(clause: Int, _ verdict: RuleVerdict)
    /// `condition` is an index into the program; its negation is not applied to `truth` yet.
    func didEvaluate(condition: Int, _ truth: Truth)
}

/// Records nothing and costs nothing.
package struct SilentObserver: RuleObserver {
    package init() {}
    package func willEvaluate(group: Int) {}
    package func didEvaluate(group: Int, _ verdict: RuleVerdict) {}
    package func didEvaluate(clause: Int, _ verdict: RuleVerdict) {}
    package func didEvaluate(condition: Int, _ truth: Truth) {}
}
