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
    ///   - first: what became of it the first time, when the event is put again. Conditions and tokens read the event as it
    ///     came in; consequences go on from the event that the first pass left. Rules with the id of a consequence of a rule
    ///     that ran do not run again, and no second message is handed on.
    func result(
        of event: MobileEvent, _ budget: inout EventBudget, after first: MobileRulesResult?
    ) -> MobileRulesResult {
        var evaluation = RuleEvaluation(
            compiled, EventView(event, environment, expansionRoom: budget.expansionRoom),
            comparisonRoom: budget.comparisonRoom)
        var consequences = evaluation.consequences()
        budget.expansionRoom = evaluation.view.expansionRoom
        budget.comparisonRoom = evaluation.comparisonRoom
        var held: HeldRules?
        if let first {
            let done = first.held?.finishedIDs ?? []
            consequences.removeAll { compiled.rules[$0.ruleIndex].rule.hasConsequence(of: done) }
        } else if hasInterceptor {
            held = HeldRules(among: evaluation.matched.map { ($0, compiled.rules[$0].rule) })
            let waiting = Set(held?.indexes ?? [])
            consequences.removeAll { waiting.contains($0.ruleIndex) }
        }
        var run = ConsequenceRun(
            first?.event ?? event, environment, profile: profile, assets: assets, budget: budget,
            hasMessage: first?.hasMessage == true)
        for consequence in consequences { run.run(consequence) }
        budget = run.budget
        // It has been remembered the first time.
        if first == nil { run.recordEvent() }
        var result = MobileRulesResult(event: run.event)
        result.original = event
        result.hasMessage = run.hasMessage
        result.matchedRules = evaluation.matched
        result.held = held
        result.consequences = consequences.map(\.consequence)
        result.dispatched = run.dispatched
        result.triggered = run.triggered
        result.recorded = run.recorded
        result.waitingRecords = run.waitingRecords
        result.warnings = evaluation.warnings + run.warnings
        return result
    }
}
