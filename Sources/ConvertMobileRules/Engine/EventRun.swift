internal import ConvertECMAScript

/// Puts events to rules and carries out what follows. No locks and no reports: these are the engine's.
struct EventRun {
    let compiled: CompiledRules
    let assets: RulesAssets
    let environment: EvaluationEnvironment
    let profile: ClientSideProfile
    /// Whether rules that ask for an interceptor are to wait for one.
    let hasInterceptor: Bool

    /// What becomes of an event.
    ///
    /// - Parameters:
    ///   - budget: what it may cost; what it did cost is taken from it.
    ///   - first: what became of it the first time, when the event is put again: rules with the id of a consequence that
    ///     ran do not run again, and no second message is handed on.
    func result(
        of event: MobileEvent, _ budget: inout EventBudget, after first: MobileRulesResult?
    ) -> MobileRulesResult {
        var evaluation = RuleEvaluation(
            compiled, EventView(event, environment, expansionRoom: budget.expansionRoom),
            comparisonRoom: budget.comparisonRoom)
        var consequences = evaluation.consequences()
        budget.expansionRoom = evaluation.view.expansionRoom
        budget.comparisonRoom = evaluation.comparisonRoom
        var held: [Int] = []
        if let first {
            let done = Set(first.consequences.map { PropertyKey($0.id) })
            consequences.removeAll { compiled.rules[$0.ruleIndex].rule.hasConsequence(of: done) }
        } else if hasInterceptor {
            held = heldRules(evaluation.matched.map { ($0, compiled.rules[$0].rule) })
            let held = Set(held)
            consequences.removeAll { held.contains($0.ruleIndex) }
        }
        var run = ConsequenceRun(
            event, environment, profile: profile, assets: assets, budget: budget,
            hasMessage: first?.hasMessage == true)
        for consequence in consequences { run.run(consequence) }
        budget = run.budget
        // It has been remembered the first time.
        if first == nil { run.recordEvent() }
        var result = MobileRulesResult(event: run.event)
        result.original = event
        result.hasMessage = run.hasMessage
        result.matchedRules = evaluation.matched
        result.heldRules = held
        result.consequences = consequences.map(\.consequence)
        result.dispatched = run.dispatched
        result.triggered = run.triggered
        result.recorded = run.recorded
        result.waitingRecords = run.waitingRecords
        result.warnings = evaluation.warnings + run.warnings
        return result
    }

    /// Of the matching rules, those that wait for the interceptor: if one of them asks for it, all with a `schema`.
    private func heldRules(_ matched: [(index: Int, rule: MobileRule)]) -> [Int] {
        let schemas = matched.filter { $0.rule.consequences.contains { $0.type == "schema" } }
        let isAsked = schemas.contains { $0.rule.meta?["reEvaluate"]?.boolValue == true }
        return isAsked ? schemas.map(\.index) : []
    }
}

extension MobileRule {
    fileprivate func hasConsequence(of ids: Set<PropertyKey>) -> Bool {
        consequences.contains { ids.contains(PropertyKey($0.id)) }
    }
}
