/// Records every step of one decision, for an explanation.
final class DecisionRecorder: RuleObserver {
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

    /// A gate was passed or closed.
    func didReach(_ gate: Explanation.Gate.Kind, passed: Bool, _ detail: String) {
        gates.append(Explanation.Gate(kind: gate, passed: passed, detail: detail, rules: rules))
        rules = []
    }

    /// A rule set is about to be evaluated, against `attributes` unless rule data answers.
    func willEvaluate(_ subject: String, against attributes: Attributes?) {
        self.subject = subject
        self.attributes = attributes
        groups = []
    }

    /// The rule set was evaluated.
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
        let source = program.sources[index]
        let verdict =
            truth.isAbandoned ? .abandoned : Explanation.Verdict(truth.verdict(negated: source.negation))
        conditions.append(
            Explanation.Condition(
                key: source.key, attribute: attributes?.value(in: program.slot(ofConditionAt: index), of: program),
                matchType: source.matchType, value: source.value, negation: source.negation, verdict: verdict))
    }

    /// The visitor was hashed.
    func didBucket(_ trace: Explanation.Bucketing) { bucketing = trace }
}
