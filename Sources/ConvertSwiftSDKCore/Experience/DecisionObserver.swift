/// Receives the facts of a decision while it is made. The compiler removes the silent observer, and with it the facts.
protocol DecisionObserver: RuleObserver {
    /// Whether it is to see audiences that can change nothing any more.
    static var seesAllAudiences: Bool { get }
    /// A gate was passed or closed.
    func didReach(_ fact: @autoclosure () -> DecisionFact, passed: Bool)
    /// A rule set is about to be evaluated, against `attributes` unless nothing or rule data answers.
    func willEvaluate(_ subject: @autoclosure () -> RuleSubject, against attributes: @autoclosure () -> Attributes?)
    /// The rule set was evaluated.
    func didEvaluate(rules verdict: RuleVerdict)
    /// The visitor was hashed for the experience at an index.
    func didBucket(_ value: Int, in experience: Int)
}

extension SilentObserver: DecisionObserver {
    static var seesAllAudiences: Bool { @inline(__always) get { false } }
    @inline(__always)
    func didReach(_ fact: @autoclosure () -> DecisionFact, passed: Bool) {}
    @inline(__always)
    func willEvaluate(_ subject: @autoclosure () -> RuleSubject, against attributes: @autoclosure () -> Attributes?) {}
    @inline(__always)
    func didEvaluate(rules verdict: RuleVerdict) {}
    @inline(__always)
    func didBucket(_ value: Int, in experience: Int) {}
}
