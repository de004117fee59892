/// Receives each step of an evaluation. The compiler removes the silent one.
package protocol RuleObserver {
    mutating func willEvaluate(group: Int)
    mutating func didEvaluate(group: Int, _ verdict: RuleVerdict)
    /// `clause` is an index into the program.
    mutating func didEvaluate(clause: Int, _ verdict: RuleVerdict)
    /// `condition` is an index into the program; its negation is not applied to `truth` yet.
    mutating func didEvaluate(condition: Int, _ truth: Truth)
}

/// Records nothing and costs nothing.
package struct SilentObserver: RuleObserver {
    package init() {}
    package mutating func willEvaluate(group: Int) {}
    package mutating func didEvaluate(group: Int, _ verdict: RuleVerdict) {}
    package mutating func didEvaluate(clause: Int, _ verdict: RuleVerdict) {}
    package mutating func didEvaluate(condition: Int, _ truth: Truth) {}
}
