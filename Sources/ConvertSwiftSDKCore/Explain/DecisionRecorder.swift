internal import ConvertECMAScript

/// Records every step of one decision, for an explanation.
final class DecisionRecorder: DecisionObserver {
    static var seesAllAudiences: Bool { true }

    private(set) var gates: [Explanation.Gate] = []
    private(set) var bucketing: Explanation.Bucketing?

    private let project: Project
    private let visitorID: String
    /// The rule sets evaluated since the last gate. The next gate includes them.
    private(set) var rules: [Explanation.RuleSet] = []
    private var groups: [Explanation.Group] = []
    private var clauses: [Explanation.Clause] = []
    private var conditions: [Explanation.Condition] = []
    private var subject = ""
    private var attributes: Attributes?

    init(_ project: Project, visitorID: String) {
        self.project = project
        self.visitorID = visitorID
    }

    func didReach(_ fact: @autoclosure () -> DecisionFact, passed: Bool) {
        let (gate, detail) = fact().finding(passed: passed)
        gates.append(Explanation.Gate(kind: gate, passed: passed, detail: detail, rules: rules))
        rules = []
    }

    func willEvaluate(_ subject: @autoclosure () -> RuleSubject, against attributes: @autoclosure () -> Attributes?) {
        self.subject = project.text(of: subject())
        self.attributes = attributes()
        groups = []
    }

    func didEvaluate(rules verdict: RuleVerdict) {
        rules.append(Explanation.RuleSet(subject: subject, verdict: .init(verdict), groups: groups))
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
        let program = project.program
        let source = program.originals[index]
        let slot = Int(program.comparisons[program.conditions[index].comparison].slot)
        let verdict =
            truth.isAbandoned ? .abandoned : Explanation.Verdict(truth.verdict(negated: source.negation))
        conditions.append(
            Explanation.Condition(
                key: source.key, attribute: attributes?.value(in: slot, of: program),
                matchType: source.matchType, value: source.value, negation: source.negation, verdict: verdict))
    }

    func didBucket(_ value: Int, in experience: Int) {
        let options = project.options.bucketing
        let (row, model) = (project.experiences[experience], project.model(experience))
        bucketing = Explanation.Bucketing(
            hashInput: (options.excludesExperienceID ? "" : model.id.text) + visitorID,
            seed: options.hashSeed, maxTraffic: options.maxTraffic, value: value, layout: row.layout,
            ranges: project.experiences.ranges[row.ranges].map {
                let variation = model.variations[$0.variation]
                return Explanation.Bucketing.Range(
                    variationID: variation.id?.text ?? "", variationKey: variation.key, start: $0.start, end: $0.end)
            })
    }
}
