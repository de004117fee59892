/// Receives the facts of a decision while it is made. Facts are passed as closures, so a decision without an
/// explanation does not create them.
protocol DecisionObserver: RuleObserver {
    /// Whether the observer also receives audiences that cannot change the outcome any more.
    static var seesAllAudiences: Bool { get }
    /// A gate was reached. `passed` says whether the visitor passes it.
    func didReach(_ fact: @autoclosure () -> DecisionFact, passed: Bool)
    /// A rule set is about to be evaluated against `attributes`. They are `nil` if the entity has no rules, or if rule
    /// data answers.
    func willEvaluate(_ subject: @autoclosure () -> RuleSubject, against attributes: @autoclosure () -> Attributes?)
    func didEvaluate(rules verdict: RuleVerdict)
    /// The visitor's bucket value for the experience at an index was computed.
    func didBucket(_ value: Int, in experience: Int)
}

extension Project {
    /// The verdict of an entity's rules on properties that belong to no context. `observer` receives each step; the
    /// verdict is not cached.
    func verdict(
        of rules: CompiledRules, for subject: @autoclosure () -> RuleSubject, on attributes: inout Attributes,
        _ budget: inout CallBudget, _ observer: some DecisionObserver
    ) -> RuleVerdict {
        observer.willEvaluate(subject(), against: attributes.copy())
        let verdict = self.rules.evaluate(rules, against: &attributes, &budget, observer: observer)
        observer.didEvaluate(rules: verdict)
        return verdict
    }
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
