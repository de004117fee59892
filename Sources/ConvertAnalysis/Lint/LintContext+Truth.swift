internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks whether a rule graph and its groups never hold, always hold, or let in no further visitor.
extension LintContext {
    mutating func checkTruth(of rules: RuleSet) {
        let groups = rules.groups.map { pool.formula(of: $0, rules.scope) }
        var open = RuleQuestions()
        var satisfiable: [Int] = []
        for (index, formula) in groups.enumerated() {
            let answer = checkGroup(formula, rules, index)
            if answer != .no { satisfiable.append(index) }
            checkLeaves(of: index, rules, &open, isUndecided: answer == .unknown)
        }
        defer { for finding in open.findings { add(finding) } }
        if satisfiable.isEmpty {
            if !groups.isEmpty { addNever(rules) }
            return
        }
        let reachable = pool.alternatives(of: rules.groups, rules.scope)
        if reachable != groups {
            switch search.run([.some(reachable)]) {
            case .impossible: return addNever(rules)
            case .undecided: open.anybody.add(reason(of: rules.groups), at: rules.path)
            case .found: break
            }
        }
        switch GroupCoverage(reachable, search, pool).coverageOfEverybody {
        case .one, .several: return addAlways(rules)
        case .undecided: open.everybody.add(reason(of: rules.groups), at: rules.path)
        case .none: break
        }
        checkImplications(groups, satisfiable, rules, &open.implication)
    }

    private mutating func addAlways(_ rules: RuleSet) {
        add(
            rules.entity.list == .audiences ? .audienceAlwaysHolds : .rulesAlwaysHold, at: rules.path,
            "Every visitor matches \(rules.entity.name), whatever the attributes are.",
            remedy: "Remove the rules, or narrow them.", witness: witness(of: VisitorSearch.Model()))
    }

    private mutating func addNever(_ rules: RuleSet) {
        add(
            rules.entity.list == .audiences ? .audienceNeverHolds : .rulesNeverHold, at: rules.path,
            "No visitor matches \(rules.entity.name), whatever the attributes are.",
            remedy: "Correct its groups, none of which can match.", under: [rules.path + ".OR"])
    }

    /// Checks whether some visitor meets the group.
    private mutating func checkGroup(_ formula: Formula, _ rules: RuleSet, _ index: Int) -> Truth {
        let path = rules.path(index)
        switch search.run([formula], kinds: .noContainers) {
        case .found: return .yes
        case .undecided:
            addUndecided("whether anybody can meet the group", rules.groups[index], at: path)
            return .unknown
        case .impossible: break
        }
        // A group that is `null` or has no clauses has its own finding.
        let conditions = rules.groups[index].clauses.flatMap(\.self)
        if rules.groups[index].clauses.isEmpty { return .no }
        if !conditions.isEmpty, conditions.allSatisfy({ $0.defect == .null }) { return .no }
        let core = conflict(in: rules.groups[index], rules.scope)
        let excluding = core.map {
            $0.isEmpty ? "a clause without conditions" : $0.map(\.summary).joined(separator: " or ")
        }
        let what = excluding.isEmpty ? "" : ": \(excluding.joined(separator: "; "))"
        switch search.run([formula]) {
        case .impossible:
            add(
                .groupNeverHolds, at: path,
                excluding.count > 1
                    ? "No visitor meets the group, because these exclude each other\(what)."
                    : "No visitor meets the group, because this never holds\(what).",
                remedy: excluding.count > 1
                    ? "Correct or remove one of these conditions, or split the group in two."
                    : "Correct this condition.",
                under: excluding.count > 1 ? [] : [path + ".AND"])
            return .no
        case .found(let model):
            add(
                .groupNeedsList, at: path,
                "Only a visitor with an attribute that is an array or an object meets the group\(what).",
                remedy: "If alternatives are meant, put the conditions into one OR_WHEN.",
                witness: witness(of: model))
            return .yes
        case .undecided:
            addUndecided("whether anybody can meet the group", rules.groups[index], at: path)
            return .unknown
        }
    }

    /// A small set of clauses that cannot all hold, found by leaving out one clause after the other.
    private func conflict(in group: RuleGroup, _ scope: Formula.Scope) -> [[RuleCondition]] {
        var clauses = group.clauses.map(Array.init)
        if semantics == .flat { clauses = clauses.flatMap { $0.map { [$0] } } }
        func isImpossible(_ clauses: [[RuleCondition]]) -> Bool {
            let formulas = clauses.map { clause in
                Formula.some(clause.map { $0.defect == nil ? pool.formula(of: $0, scope) : .fails })
            }
            return search.isImpossible(formulas, kinds: .noContainers)
        }
        guard isImpossible(clauses) else { return [] }
        var index = 0
        while index < clauses.count, clauses.count <= 200 {
            var fewer = clauses
            fewer.remove(at: index)
            if isImpossible(fewer) { clauses = fewer } else { index += 1 }
        }
        return clauses
    }

    private mutating func checkLeaves(
        of group: Int, _ rules: RuleSet, _ open: inout RuleQuestions, isUndecided: Bool
    ) {
        for site in rules.sites[group].joined() {
            let condition = site.condition
            let formula = pool.formula(of: site)
            // A pattern that cannot be read has a finding of its own.
            if site.operation == .regexMatches, formula.known != nil { continue }
            let answers = truth(of: formula)
            switch answers.canHold {
            case .no:
                add(
                    .conditionNeverHolds, at: site.path,
                    "No value of the attribute meets \(condition.summary).",
                    remedy: "Correct the value, or remove the condition.", under: [site.path])
                continue
            // If the group is undecided because of this condition, the group's finding already says so.
            case .unknown where !isUndecided: open.condition.add(reason(of: [condition]), at: site.path)
            case .unknown, .yes: break
            }
            if pool[site].asksForPresence { continue }
            switch answers.canFail {
            case .no:
                add(
                    .conditionAlwaysHolds, at: site.path,
                    "Every text, number and boolean meets \(condition.summary).",
                    remedy: "Correct the value, or remove the condition.",
                    witness: witness(meeting: formula, in: pool.formula(of: rules.groups[group], rules.scope)))
            case .unknown: open.everyValue.add(reason(of: [condition]), at: site.path)
            case .yes: break
            }
        }
    }

    /// The possible values of a condition's formula. Cached, because a condition may occur many times in a config.
    private mutating func truth(of formula: Formula) -> LeafTruth {
        guard case .literal(let literal) = formula else { return LeafTruth(formula, search) }
        if let known = leafTruths[literal] { return known }
        let truth = LeafTruth(formula, search)
        leafTruths[literal] = truth
        return truth
    }

    private mutating func addUndecided(_ question: String, _ group: RuleGroup, at path: String) {
        var open = OpenQuestion(question, of: "groups")
        open.add(reason(of: [group]), at: path)
        if let finding = open.finding { add(finding) }
    }

    /// A possible reason why a question about groups was not decided.
    func reason(of groups: some Collection<RuleGroup>, isExhausted: Bool = false) -> String {
        reason(of: groups.lazy.flatMap(\.clauses).flatMap(\.self), isExhausted: isExhausted)
    }

    /// A possible reason why a question about conditions was not decided.
    func reason(of conditions: some Sequence<RuleCondition>, isExhausted: Bool = false) -> String {
        if isExhausted || pool.budget.isExhausted { return "the questions take more work than the limits allow" }
        for condition in conditions where condition.defect == nil {
            if let opacity = pool[pool.intern(condition)].opacity { return "\(condition.summary): \(opacity.rawValue)" }
        }
        return "it takes more than \(pool.budget.limits.states) states or cases"
    }
}

/// Whether some value meets a condition, and whether some text, number or boolean does not.
struct LeafTruth {
    let canHold: Truth
    let canFail: Truth

    init(_ formula: Formula, _ search: VisitorSearch) {
        canHold = search.run([formula]).truth
        canFail = search.run([formula.negated], kinds: .scalars).truth
    }
}

extension VisitorSearch.Answer {
    /// Whether such a visitor exists.
    fileprivate var truth: Truth {
        switch self {
        case .impossible: .no
        case .found: .yes
        case .undecided: .unknown
        }
    }
}
