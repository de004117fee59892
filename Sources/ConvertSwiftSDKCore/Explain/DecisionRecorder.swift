/// Records every step of one decision, for an explanation.
final class DecisionRecorder: DecisionObserver {
    static var seesAllAudiences: Bool { true }

    private(set) var gates: [Explanation.Gate] = []
    private(set) var bucketing: Explanation.Bucketing?

    private let program: RuleProgram
    /// The rule sets since the last gate, which the next gate takes.
    private var rules: [Explanation.RuleSet] = []
    private var groups: [Explanation.Group] = []
    private var clauses: [Explanation.Clause] = []
    private var conditions: [Explanation.Condition] = []
    private var subject = ""
    private var attributes: Attributes?

    init(program: RuleProgram) { self.program = program }

    func didReach(_ gate: Explanation.Gate.Kind, passed: Bool, _ detail: @autoclosure () -> String) {
        gates.append(Explanation.Gate(kind: gate, passed: passed, detail: detail(), rules: rules))
        rules = []
    }

    func willEvaluate(_ subject: @autoclosure () -> String, against attributes: @autoclosure () -> Attributes?) {
        self.subject = subject()
        self.attributes = attributes()
        groups = []
    }

    func didEvaluate(rules verdict: RuleVerdict) {
        rules.append(ruleSet(verdict))
    }

    /// The rule set that was evaluated just now.
    func ruleSet(_ verdict: RuleVerdict) -> Explanation.RuleSet {
        Explanation.RuleSet(subject: subject, verdict: .init(verdict), groups: groups)
    }

    func willEvaluate(group: Int) {
        clauses = []
        conditions = []
    }

    func didEvaluate(group: Int, _ verdict: RuleVerdict) {
        groups.append(Explanation.Group(verdict: .init(verdict), clauses: clauses))
    }

    func didEvaluate(clause: Int, _ verdict: RuleVerdict) {
        clauses.append(Explanation.Clause(verdict: .init(verdict), conditions: conditions))
        conditions = []
    }

    func didEvaluate(condition index: Int, _ truth: Truth) {
        let source = program.originals[index]
        let verdict =
            truth.isAbandoned ? .abandoned : Explanation.Verdict(truth.verdict(negated: source.negation))
        conditions.append(
            Explanation.Condition(
                key: source.key, attribute: attributes?.value(in: program.slot(ofConditionAt: index), of: program),
                matchType: source.matchType, value: source.value, negation: source.negation, verdict: verdict))
    }

    func didBucket(_ trace: @autoclosure () -> Explanation.Bucketing) { bucketing = trace() }
}
