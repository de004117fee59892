internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for alternatives that each exclude another value of an attribute, so every visitor meets one of them.
extension LintContext {
    /// Checks alternatives that are groups of one condition each, apart from the conditions that all groups share.
    mutating func checkNegatedGroups(of rules: RuleSet) {
        let numbers = rules.groups.map { group in group.clauses.map { $0.map(pool.intern) } }
        let common = numbers.dropFirst().reduce(numbers.count > 1 ? Set(numbers[0]) : []) { $0.intersection($1) }
        let single = rules.sites.indices.compactMap { index -> SitedCondition? in
            let clauses = zip(rules.sites[index], numbers[index]).filter { !common.contains($0.1) }
            guard clauses.count == 1, clauses[0].1.count == 1 else { return nil }
            return clauses[0].0.first?.moved(to: rules.path(index))
        }
        checkNegations(single, "OR")
    }

    /// Checks audiences of one condition each, if an experience accepts any of them.
    mutating func checkNegatedAudiences() {
        let audiences = allRules.filter { $0.entity.list == .audiences && $0.question == nil }
        let graphs = Dictionary(firstOf: audiences.map { ($0.entity.index, $0) })
        let places = Dictionary(
            firstOf: document[.audiences].compactMap { entity in entity.id.map { ($0.key, entity.index) } })
        for entity in document[.experiences] where experience(of: entity)?.audienceMatching == .any {
            let single = entity.references("audiences").compactMap { index, id -> SitedCondition? in
                guard let rules = places[id.key].flatMap({ graphs[$0] }), rules.groups.count == 1,
                    rules.groups[0].clauses.map(\.count) == [1]
                else { return nil }
                return rules.sites[0][0].first?.moved(to: "\(entity.path).audiences[\(index)]")
            }
            checkNegations(single, "audiences")
        }
    }

    /// - Parameter member: the list of the alternatives: a clause's `OR_WHEN`, a graph's `OR` or an experience's
    ///   `audiences`.
    mutating func checkNegations(_ alternatives: [SitedCondition], _ member: String) {
        let remedy =
            switch member {
            case "OR": "Put them into one group, as two clauses of its AND, to exclude both."
            case "audiences": "Ask for all audiences in settings.matching_options, to exclude both."
            default: "Put them into two clauses of AND, to exclude both."
            }
        // If both are in one audience, the finding about its rules says so.
        if member == "audiences" { checkCoverage(by: alternatives) }
        checkNumbers(covered: alternatives)
        var known: [PropertyKey: (first: SitedCondition, count: Int)] = [:]
        for site in alternatives where site.condition.negation {
            guard let key = site.condition.attribute else { continue }
            switch site.operation {
            case .equals, .isIn, .contains, .startsWith, .endsWith, .regexMatches: break
            default: continue
            }
            let (first, count) = known[key] ?? (site, 0)
            known[key] = (first, count + 1)
            guard count == 1, first.condition != site.condition else { continue }
            let parts = [first, site].map { pool.formula(of: $0) }
            guard let (_, extra) = difference(between: .some(parts), and: .every(parts)), let extra else { continue }
            let value = value(of: site, in: extra) ?? "one of the values"
            add(
                .negatedAlternatives, at: site.path,
                "\(first.condition.summary) or \(site.condition.summary): each lets in what the other one excludes, "
                    + "such as \(value).",
                remedy: remedy, witness: witness(of: extra))
        }
    }

    /// Checks for numeric alternatives that together match every number, such as less than 10 and at least 5.
    private mutating func checkNumbers(covered alternatives: [SitedCondition]) {
        var known: [PropertyKey: [(condition: RuleCondition, missed: NumberRanges)]] = [:]
        for site in alternatives {
            // A condition that matches every number by itself has its own finding.
            guard let key = site.condition.attribute, let missed = pool[site].numbers?.inverted, !missed.isEmpty else {
                continue
            }
            let others = known[key] ?? []
            guard let (other, _) = others.first(where: { $0.missed.intersection(missed).isEmpty }) else {
                // Keep only the conditions that reach furthest: at most two.
                if !others.contains(where: { $0.missed.intersection(missed) == $0.missed }) {
                    known[key] = others.filter { $0.missed.intersection(missed) != missed } + [(site.condition, missed)]
                }
                continue
            }
            guard let model = visitor(of: pool.formula(of: site)) else { continue }
            add(
                .negatedAlternatives, at: site.path,
                "\(other.summary) or \(site.condition.summary): every number meets one of them.",
                remedy: "Ask for both, if numbers between them are meant, or remove them.",
                witness: witness(of: model))
            return
        }
    }

    /// Checks for two alternatives that together match every value, because one excludes the values that the other lets
    /// in.
    private mutating func checkCoverage(by alternatives: [SitedCondition]) {
        var known: [PropertyKey: (first: SitedCondition, count: Int)] = [:]
        for site in alternatives {
            guard let key = site.condition.attribute else { continue }
            switch site.operation {
            case .equals, .isIn, .contains: break
            default: continue
            }
            let (first, count) = known[key] ?? (site, 0)
            known[key] = (first, count + 1)
            guard count == 1, first.condition.negation != site.condition.negation else { continue }
            let parts = [first, site].map { pool.formula(of: $0) }
            let isPresent = pool.formula(of: site.condition.comparing("exists", nil), site.scope)
            func isImpossible(_ formulas: [Formula]) -> Bool {
                search.isImpossible(formulas + [isPresent], kinds: .scalars)
            }
            if !isImpossible(parts.map(\.negated)) || parts.contains(where: { isImpossible([$0.negated]) }) { continue }
            guard case .found(let model) = search.run([parts[1], isPresent], kinds: .scalars) else { continue }
            add(
                .negatedAlternatives, at: site.path,
                "\(first.condition.summary) or \(site.condition.summary): every value meets one of them.",
                remedy: "Ask for both, if both are meant, or remove them.", witness: witness(of: model))
        }
    }
}
