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
            for (conditions, path) in rules.clauses {
                for (leaf, condition) in conditions.enumerated() where condition.defect == nil {
                    // Most conditions are plain and occur many times in a config.
                    let known = KnownSpelling(number: pool.intern(condition), scope: rules.scope)
                    if plainConditions.contains(known) { continue }
                    let count = findingCount
                    checkSpelling(of: condition, rules.scope, at: "\(path).OR_WHEN[\(leaf)]")
                    if findingCount == count { plainConditions.insert(known) }
                }
                if semantics != .flat { checkNegations(conditions, rules.scope, at: path) }
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

    /// Reports `condition` if it differs from what was probably meant, with a visitor whom only one of the two lets in.
    ///
    /// - Parameters:
    ///   - code: the kind of the finding.
    ///   - condition: the condition in the config.
    ///   - scope: the scope of the condition's property.
    ///   - meant: the conditions any of which was probably meant, without the negation of `condition`.
    ///   - written: a single condition with their meaning; by default the first of `meant`.
    ///   - path: the path of the questionable value.
    ///   - message: the problem. Sentences about the values of two visitors are added.
    ///   - proviso: the condition under which the suggested correction applies.
    mutating func suspect(
        _ code: LintCode, _ condition: RuleCondition, _ scope: Formula.Scope, meaning meant: [RuleCondition],
        writing written: RuleCondition? = nil, at path: String, _ message: String, if proviso: String = ""
    ) {
        guard let written = written ?? meant.first else { return }
        let edit = ConditionEdit(written, isNegated: condition.negation)
        suspect(
            code, condition, scope, meaning: meant, at: path, message,
            remedy: edit.sentence(replacing: condition, proviso), edit)
    }

    /// The same as ``suspect(_:_:_:meaning:writing:at:_:if:)``, with a custom remedy.
    mutating func suspect(
        _ code: LintCode, _ condition: RuleCondition, _ scope: Formula.Scope, meaning meant: [RuleCondition],
        at path: String, _ message: String, remedy: String, _ edit: ConditionEdit? = nil
    ) {
        let isNegated = condition.negation
        let actual = pool.formula(of: condition, scope)
        let parts = meant.map { pool.formula(of: $0.negated(isNegated), scope) }
        guard let found = difference(between: actual, and: isNegated ? .every(parts) : .some(parts)) else { return }
        let missed = (found.lost ?? visitor(of: actual.negated), "does not match")
        let matched = (found.extra ?? visitor(of: actual), "matches")
        // First look for a visitor whom the value names although the visitor is not let in, or is not kept out by a
        // negated condition. Otherwise look for a visitor who is let in or kept out, but not named.
        let isMatchedFirst = isNegated ? found.extra != nil : found.lost == nil
        let pair = isMatchedFirst ? [matched, missed] : [missed, matched]
        let sentences = pair.compactMap { model, answer in
            value(of: condition, scope, in: model).map { value in
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
    func value(of condition: RuleCondition, _ scope: Formula.Scope, in model: VisitorSearch.Model?) -> String? {
        guard let key = condition.attribute, let model else { return nil }
        let members = scope == .visitor ? model.attributes : model.locationProperties
        return members[key].map { ECMAScript.jsonText(of: $0).excerpt() }
    }
}
