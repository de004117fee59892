/// Is told what evaluation does. The silent one is removed by the compiler.
package protocol RuleObserver {
    mutating func willEvaluate(group: Int)
    mutating func didEvaluate(group: Int, _ verdict: RuleVerdict)
    /// `clause` is an index into the program.
    mutating func didEvaluate(clause: Int, _ verdict: RuleVerdict)
    /// `condition` is an index into the program.
    mutating func didEvaluate(condition: Int, _ verdict: RuleVerdict)
    /// `condition` was given up and does not hold.
    mutating func didAbandon(condition: Int)
}

/// Records nothing and costs nothing.
package struct SilentObserver: RuleObserver {
    package init() {}
    package mutating func willEvaluate(group: Int) {}
    package mutating func didEvaluate(group: Int, _ verdict: RuleVerdict) {}
    package mutating func didEvaluate(clause: Int, _ verdict: RuleVerdict) {}
    package mutating func didEvaluate(condition: Int, _ verdict: RuleVerdict) {}
    package mutating func didAbandon(condition: Int) {}
}
