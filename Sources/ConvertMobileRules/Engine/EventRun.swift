internal import ConvertECMAScript

/// Evaluates events and performs their consequences. The engine, not this type, locks and reports.
struct EventRun {
    let compiled: CompiledRules
    let assets: RulesAssets
    let environment: EvaluationEnvironment
    let profile: ClientSideProfile
    /// Whether an interceptor exists that rules can wait for.
    let hasInterceptor: Bool

    /// Processes an event and returns the result.
    ///
    /// - Parameters:
    ///   - budget: the event's budget, from which the cost is deducted.
    ///   - first: the first result, if the event is processed again. Conditions and tokens then read the event as it
    ///     arrived, but consequences continue with the event from the first pass. A rule does not run if it shares a
    ///     consequence id with a rule that already ran, and no second message is passed on.
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
        // In the second pass the event was already recorded.
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
