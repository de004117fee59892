internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Alternatives that each exclude something else of one attribute: every visitor meets one of them.
extension LintContext {
    /// Alternatives in one clause.
    mutating func checkNegations(_ conditions: [RuleCondition], _ scope: Formula.Scope, at path: String) {
        checkNegations(conditions.enumerated().map { ($1, "\(path).OR_WHEN[\($0)]") }, scope, "OR_WHEN", at: path)
    }

    /// Alternatives that are groups of one condition, besides those that all groups have.
    mutating func checkNegatedGroups(of rules: RuleSet) {
        let numbers = rules.groups.map { group in group.clauses.map { $0.map(pool.intern) } }
        let common = numbers.dropFirst().reduce(numbers.count > 1 ? Set(numbers[0]) : []) { $0.intersection($1) }
        let single = zip(rules.groups, numbers).enumerated().compactMap { index, group -> (RuleCondition, String)? in
            let clauses = zip(group.0.clauses, group.1).filter { !common.contains($0.1) }
            guard clauses.count == 1, clauses[0].0.count == 1, let only = clauses[0].0.first else { return nil }
            return (only, "\(rules.path).OR[\(index)]")
        }
        checkNegations(single, rules.scope, "OR", at: rules.path)
    }

    /// Audiences of one condition, of which an experience asks for any.
    mutating func checkNegatedAudiences() {
        let rules = Dictionary(
            firstOf: allRules.filter { $0.entity.list == .audiences && $0.question == nil }.map {
                ($0.entity.index, $0)
            })
        let places = Dictionary(
            firstOf: document[.audiences].compactMap { entity in entity.id.map { ($0.key, entity.index) } })
        for experience in document[.experiences] where model(of: experience)?.audienceMatching == .any {
            let single = experience.references("audiences").compactMap { index, id -> (RuleCondition, String)? in
                guard let groups = places[id.key].flatMap({ rules[$0]?.groups }), groups.count == 1 else { return nil }
                let clauses = groups[0].clauses.map(Array.init)
                guard clauses.count == 1, clauses[0].count == 1 else { return nil }
                return (clauses[0][0], "\(experience.path).audiences[\(index)]")
            }
            checkNegations(single, .visitor, "audiences", at: experience.path)
        }
    }

    private mutating func checkNegations(
        _ alternatives: [(condition: RuleCondition, path: String)], _ scope: Formula.Scope, _ member: String,
        at path: String
    ) {
        let remedy =
            switch member {
            case "OR": "Put them into one group, as two clauses of its AND, to exclude both."
            case "audiences": "Ask for all audiences in settings.matching_options, to exclude both."
            default: "Put them into two clauses of AND, to exclude both."
            }
        // In one audience its rules say so.
        if member == "audiences" { checkCoverage(by: alternatives, scope) }
        checkNumbers(covered: alternatives, scope)
        var known: [PropertyKey: (first: RuleCondition, count: Int)] = [:]
        for (condition, place) in alternatives where condition.defect == nil && condition.negation {
            guard let key = condition.attribute else { continue }
            switch Operation(wireName: condition.matchType, under: semantics) {
            case .equals?, .isIn?, .contains?, .startsWith?, .endsWith?, .regexMatches?: break
            default: continue
            }
            let (first, count) = known[key] ?? (condition, 0)
            known[key] = (first, count + 1)
            guard count == 1, first != condition else { continue }
            let parts = [first, condition].map { pool.formula(of: $0, scope) }
            guard let (_, extra) = difference(between: .some(parts), and: .every(parts)), let extra else { continue }
            let value = value(of: condition, scope, in: extra) ?? "one of the values"
            add(
                .negatedAlternatives, at: place,
                "\(first.summary) or \(condition.summary): each lets in what the other one excludes, such as \(value).",
                remedy: remedy, witness: witness(of: extra))
        }
    }

    /// Alternatives on numbers of which every number meets one, such as less than 10 and at least 5.
    private mutating func checkNumbers(
        covered alternatives: [(condition: RuleCondition, path: String)], _ scope: Formula.Scope
    ) {
        var known: [PropertyKey: [(condition: RuleCondition, missed: NumberRanges)]] = [:]
        for (condition, place) in alternatives where condition.defect == nil {
            // One that every number meets by itself is said to.
            guard let key = condition.attribute, let missed = pool[pool.intern(condition)].numbers?.inverted,
                !missed.isEmpty
            else { continue }
            let others = known[key] ?? []
            guard let (other, _) = others.first(where: { $0.missed.intersection(missed).isEmpty }) else {
                // Those that only go as far as another one does are left out: two at most are left.
                if !others.contains(where: { $0.missed.intersection(missed) == $0.missed }) {
                    known[key] = others.filter { $0.missed.intersection(missed) != missed } + [(condition, missed)]
                }
                continue
            }
            let formula = pool.formula(of: condition, scope)
            guard case .found(let model) = search.run([formula], kinds: .scalars) else { continue }
            add(
                .negatedAlternatives, at: place,
                "\(other.summary) or \(condition.summary): every number meets one of them.",
                remedy: "Ask for both, if numbers between them are meant, or remove them.",
                witness: witness(of: model))
            return
        }
    }

    /// Two alternatives of which every value meets one, because one excludes what the other one lets in.
    private mutating func checkCoverage(
        by alternatives: [(condition: RuleCondition, path: String)], _ scope: Formula.Scope
    ) {
        var known: [PropertyKey: (first: RuleCondition, count: Int)] = [:]
        for (condition, place) in alternatives where condition.defect == nil {
            guard let key = condition.attribute else { continue }
            switch Operation(wireName: condition.matchType, under: semantics) {
            case .equals?, .isIn?, .contains?: break
            default: continue
            }
            let (first, count) = known[key] ?? (condition, 0)
            known[key] = (first, count + 1)
            guard count == 1, first.negation != condition.negation else { continue }
            let parts = [first, condition].map { pool.formula(of: $0, scope) }
            let isPresent = pool.formula(
                of: RuleCondition(key: condition.key, matchType: "exists", value: nil, ruleType: condition.ruleType),
                scope)
            func isImpossible(_ formulas: [Formula]) -> Bool {
                if case .impossible = search.run(formulas + [isPresent], kinds: .scalars) { true } else { false }
            }
            if !isImpossible(parts.map(\.negated)) || parts.contains(where: { isImpossible([$0.negated]) }) { continue }
            guard case .found(let model) = search.run([parts[1], isPresent], kinds: .scalars) else { continue }
            add(
                .negatedAlternatives, at: place,
                "\(first.summary) or \(condition.summary): every value meets one of them.",
                remedy: "Ask for both, if both are meant, or remove them.", witness: witness(of: model))
        }
    }
}
