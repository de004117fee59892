internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What a rule graph and its groups come down to: never, always, nobody new.
extension LintContext {
    mutating func checkTruth(of rules: RuleSet) {
        let groups = rules.groups.map { pool.formula(of: $0, rules.scope) }
        var satisfiable: [Int] = []
        for (index, formula) in groups.enumerated() {
            if checkGroup(formula, rules, index) { satisfiable.append(index) }
            checkLeaves(of: rules.groups[index], rules, index)
        }
        let whole = pool.formula(of: rules.groups, rules.scope)
        if satisfiable.isEmpty {
            if !groups.isEmpty { addNever(rules) }
            return
        }
        if case .impossible = search.run([whole]) { return addNever(rules) }
        if case .impossible = search.run([whole.negated]) {
            return add(
                LintFinding(
                    rules.entity.list == .audiences ? .audienceAlwaysHolds : .rulesAlwaysHold, at: rules.path,
                    "Every visitor matches \(rules.entity.name), whatever the attributes are.",
                    remedy: "Remove the rules, or narrow them."))
        }
        checkImplications(groups, satisfiable, rules)
    }

    private mutating func addNever(_ rules: RuleSet) {
        add(
            LintFinding(
                rules.entity.list == .audiences ? .audienceNeverHolds : .rulesNeverHold, at: rules.path,
                "No visitor matches \(rules.entity.name), whatever the attributes are.",
                remedy: "Correct its groups, none of which can match."))
    }

    /// Whether some visitor may meet the group.
    private mutating func checkGroup(_ formula: Formula, _ rules: RuleSet, _ index: Int) -> Bool {
        let path = "\(rules.path).OR[\(index)]"
        switch search.run([formula], kinds: .noContainers) {
        case .found: return true
        case .undecided:
            addUndecided("whether anybody can meet the group", rules.groups[index], at: path)
            return true
        case .impossible: break
        }
        let core = conflict(in: rules.groups[index], rules.scope)
        let conditions = core.map { $0.map(\.summary).joined(separator: " or ") }
        let what = conditions.isEmpty ? "" : ": \(conditions.joined(separator: "; "))"
        switch search.run([formula]) {
        case .impossible:
            add(
                LintFinding(
                    .groupNeverHolds, at: path,
                    conditions.count > 1
                        ? "No visitor meets the group, because these exclude each other\(what)."
                        : "No visitor meets the group, because this never holds\(what).",
                    remedy: "Correct or remove one of these conditions, or split the group in two."))
            return false
        case .found(let model):
            add(
                LintFinding(
                    .groupNeedsList, at: path,
                    "Only a visitor with an attribute that is an array or an object meets the group\(what).",
                    remedy: "If alternatives are meant, put the conditions into one OR_WHEN.",
                    witness: witness(of: model)))
            return true
        case .undecided:
            addUndecided("whether anybody can meet the group", rules.groups[index], at: path)
            return true
        }
    }

    /// Clauses that cannot all hold, as few as leaving out one after the other gives.
    private func conflict(in group: RuleGroup, _ scope: Formula.Scope) -> [[RuleCondition]] {
        var clauses = group.clauses.map(Array.init)
        if semantics == .flat { clauses = clauses.flatMap { $0.map { [$0] } } }
        func isImpossible(_ clauses: [[RuleCondition]]) -> Bool {
            let formulas = clauses.map { clause in
                Formula.some(clause.map { $0.defect == nil ? pool.formula(of: $0, scope) : .fails })
            }
            if case .impossible = search.run(formulas, kinds: .noContainers) { return true }
            return false
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

    private mutating func checkLeaves(of group: RuleGroup, _ rules: RuleSet, _ index: Int) {
        for (clause, conditions) in group.clauses.enumerated() {
            for (leaf, condition) in conditions.enumerated() where condition.defect == nil {
                let path = "\(rules.path).OR[\(index)].AND[\(clause)].OR_WHEN[\(leaf)]"
                let formula = pool.formula(of: condition, rules.scope)
                // A pattern that cannot be read has a finding of its own.
                let isPattern = condition.matchType == "regexMatches"
                if case .impossible = search.run([formula]) {
                    if isPattern, formula.known != nil { continue }
                    add(
                        LintFinding(
                            .conditionNeverHolds, at: path,
                            "No value of the attribute meets \(condition.summary).",
                            remedy: "Correct the value, or remove the condition."))
                } else if !pool[pool.intern(condition)].asksForPresence,
                    case .impossible = search.run([formula.negated], kinds: .scalars)
                {
                    if isPattern, formula.known != nil { continue }
                    add(
                        LintFinding(
                            .conditionAlwaysHolds, at: path,
                            "Every text, number and boolean meets \(condition.summary).",
                            remedy: "Correct the value, or remove the condition."))
                }
            }
        }
    }

    /// Groups that hold only where one before them does.
    private mutating func checkImplications(_ groups: [Formula], _ satisfiable: [Int], _ rules: RuleSet) {
        for (place, index) in satisfiable.enumerated().dropFirst() {
            let earlier = satisfiable[..<place]
            guard case .impossible = search.run([groups[index]] + earlier.map { groups[$0].negated }) else { continue }
            let one = earlier.first { other in
                if case .impossible = search.run([groups[index], groups[other].negated]) { return true }
                return false
            }
            var example: VisitorSearch.Model?
            if case .found(let model) = search.run([groups[index]]) { example = model }
            add(
                LintFinding(
                    .groupImplied, at: "\(rules.path).OR[\(index)]",
                    "The group adds nobody: who meets it meets "
                        + (one.map { "\(rules.path).OR[\($0)]" } ?? "one of the groups before it") + " already.",
                    remedy: "Remove the group, or widen it.",
                    witness: example.map(witness)))
        }
    }

    mutating func addUndecided(_ question: String, _ group: RuleGroup, at path: String) {
        let reasons = group.conditions.filter { $0.defect == nil }.compactMap { condition -> String? in
            let domain = pool[pool.intern(condition)]
            return domain.opacity.map { "\(condition.summary): \($0.rawValue)" }
        }
        let reason = reasons.first ?? "it takes more than \(pool.budget.limits.states) states or cases"
        add(
            LintFinding(
                .undecided, at: path, "It was not decided \(question): \(reason).",
                remedy: "Simplify the conditions, or raise the limits."))
    }

    /// A visitor with what a search found.
    func witness(of model: VisitorSearch.Model) -> PopulationVisitor {
        PopulationVisitor(
            visitorID: "witness", attributes: model.attributes, locationProperties: model.locationProperties)
    }
}
