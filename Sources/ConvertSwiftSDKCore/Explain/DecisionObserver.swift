/// Receives each step of a decision. The compiler removes the silent one, and with it what would make the texts.
protocol DecisionObserver: RuleObserver {
    /// Whether it is to see audiences that can change nothing any more.
    static var seesAllAudiences: Bool { get }
    /// A gate was passed or closed.
    func didReach(_ gate: Explanation.Gate.Kind, passed: Bool, _ detail: @autoclosure () -> String)
    /// A rule set is about to be evaluated, against `attributes` unless rule data answers.
    func willEvaluate(_ subject: @autoclosure () -> String, against attributes: @autoclosure () -> Attributes?)
    /// The rule set was evaluated.
    func didEvaluate(rules verdict: RuleVerdict)
    /// The visitor was hashed.
    func didBucket(_ trace: @autoclosure () -> Explanation.Bucketing)
}

extension SilentObserver: DecisionObserver {
    static var seesAllAudiences: Bool { @inline(__always) get { false } }
    @inline(__always)
    func didReach(_ gate: Explanation.Gate.Kind, passed: Bool, _ detail: @autoclosure () -> String) {}
    @inline(__always)
    func willEvaluate(_ subject: @autoclosure () -> String, against attributes: @autoclosure () -> Attributes?) {}
    @inline(__always)
    func didEvaluate(rules verdict: RuleVerdict) {}
    @inline(__always)
    func didBucket(_ trace: @autoclosure () -> Explanation.Bucketing) {}
}
