internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A condition's number, with the scope of its properties.
private struct KnownSpelling: Hashable {
    let number: Int
    let scope: Formula.Scope
}

/// Checks for conditions that work as written, but were probably meant differently.
extension LintContext {
    mutating func checkSuspicions() {
        comparedTexts = textsByAttribute()
        var plainConditions: Set<KnownSpelling> = []
        for rules in allRules where rules.question == nil {
            for clause in rules.sites.joined() {
                for site in clause {
                    // Most conditions are plain and occur many times in a config.
                    let known = KnownSpelling(number: pool.intern(site.condition), scope: site.scope)
                    if plainConditions.contains(known) { continue }
                    let count = findingCount
                    checkSpelling(of: site)
                    if findingCount == count { plainConditions.insert(known) }
                }
                if semantics != .flat { checkNegations(clause, "OR_WHEN") }
            }
            checkNegatedGroups(of: rules)
        }
        checkNegatedAudiences()
        checkAttributeNames()
        checkEntityKeys()
        checkVersions()
        checkTimeUnits()
        checkFlags()
        checkArms()
        checkUses()
        checkSharedFeatures()
    }

    /// Reports a condition if its probable meaning differs from it. Shows a visitor for whom the two give different
    /// answers.
    ///
    /// - Parameters:
    ///   - code: the kind of the finding.
    ///   - site: the condition as it stands.
    ///   - meant: the probable meanings, without the condition's negation. A value must meet one of them.
    ///   - written: the one condition to write for them; by default the first.
    ///   - message: what is wrong; sentences about the values of two visitors are added.
    ///   - proviso: the circumstances in which the remedy is right.
    mutating func suspect(
        _ code: LintCode, _ site: SitedCondition, meaning meant: [RuleCondition],
        writing written: RuleCondition? = nil, _ message: String, if proviso: String = ""
    ) {
        guard let written = written ?? meant.first else { return }
        let edit = ConditionEdit(written, isNegated: site.condition.negation)
        suspect(
            code, site, meaning: meant, at: site.valuePath, message,
            remedy: edit.sentence(replacing: site.condition, proviso), edit)
    }

    /// The same as ``suspect(_:_:meaning:writing:_:if:)``, with the remedy as a parameter.
    ///
    /// - Parameter path: the path of the part to correct.
    mutating func suspect(
        _ code: LintCode, _ site: SitedCondition, meaning meant: [RuleCondition], at path: String, _ message: String,
        remedy: String, _ edit: ConditionEdit? = nil
    ) {
        let isNegated = site.condition.negation
        let actual = pool.formula(of: site)
        let parts = meant.map { pool.formula(of: $0.negated(isNegated), site.scope) }
        guard let found = difference(between: actual, and: isNegated ? .every(parts) : .some(parts)) else { return }
        let missed = (found.lost ?? visitor(of: actual.negated), "does not match")
        let matched = (found.extra ?? visitor(of: actual), "matches")
        // First look for a visitor whom the value names although the visitor is not let in, or is not kept out by a
        // negated condition. Otherwise look for a visitor who is let in or kept out, but not named.
        let isMatchedFirst = isNegated ? found.extra != nil : found.lost == nil
        let pair = isMatchedFirst ? [matched, missed] : [missed, matched]
        let sentences = pair.compactMap { model, answer in
            value(of: site, in: model).map { value in
                "\(code == .lookAlikeLetters ? value.spelledOut : value) \(answer)."
            }
        }
        add(
            code, at: path, ([message] + sentences).joined(separator: " "), remedy: remedy,
            witness: pair[0].0.map(witness), contrast: pair[1].0.map(witness), edit: edit)
    }

    /// A visitor with a text, a number or a boolean for whom the formula holds.
    func visitor(of formula: Formula) -> VisitorSearch.Model? {
        if case .found(let model) = search.run([formula], kinds: .scalars) { model } else { nil }
    }

    /// A visitor who is meant but does not match, and a visitor who matches but is not meant. Each is `nil` if the
    /// search found no such visitor, and the pair is `nil` if both are.
    mutating func difference(
        between actual: Formula, and meant: Formula
    ) -> (lost: VisitorSearch.Model?, extra: VisitorSearch.Model?)? {
        if suspicionWork <= 0 { return nil }
        let search = search
        return pool.budget.spending(from: &suspicionWork) {
            var lost: VisitorSearch.Model?
            var extra: VisitorSearch.Model?
            if case .found(let model) = search.run([meant, actual.negated], kinds: .scalars) { lost = model }
            if case .found(let model) = search.run([actual, meant.negated], kinds: .scalars) { extra = model }
            return lost == nil && extra == nil ? nil : (lost, extra)
        }
    }

    /// The visitor's value of the attribute, as JSON; `nil` if the visitor has no value.
    func value(of site: SitedCondition, in model: VisitorSearch.Model?) -> String? {
        site.subject.flatMap { model?[$0] }.map { ECMAScript.jsonText(of: $0).excerpt() }
    }
}
