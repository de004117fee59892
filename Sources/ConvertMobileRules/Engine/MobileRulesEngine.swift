internal import ConvertECMAScript
internal import ConvertConcurrency

/// Evaluates events against mobile rules and performs the consequences.
///
///     let engine = MobileRulesEngine()
///     engine.replaceRules(with: try RulesDocument(json: data))
///     let result = engine.process(MobileEvent(type: "track", source: "app", data: ["action": "buy"]))
///
/// Safe to use from any thread. Events are processed one after the other, each against the current rules. The engine
/// calls handlers and observers after the event is finished, without a lock, so they may call the engine. It calls
/// shared state providers and event histories while an event is processed, so they must not call the engine. A record
/// is delayed while another process holds the file of `ConvertSQLiteStores`' history. Only the event of that record
/// waits. The record counts immediately, and other events continue.
///
/// Events that arrive before the first rules wait, and are processed in order when the rules arrive.
public final class MobileRulesEngine: Sendable {
    private struct State {
        var rules: [MobileRule] = []
        var compiled = CompiledRules.none
        var assets = RulesAssets.none
        var hasRules = false
        var waiting = WaitingEvents()
        var reported = ReportedWarnings()
    }

    private let configuration: MobileRulesConfiguration
    private let state = Mutex(State())
    /// Held while an event is processed, so that its effects are complete before the next event is evaluated.
    private let turn = Mutex(())

    /// Creates an engine without rules.
    public init(_ configuration: MobileRulesConfiguration = MobileRulesConfiguration()) {
        self.configuration = configuration
        guard let observer = configuration.observer else { return }
        (configuration.history as? any ReportSource)?.report {
            observer.didWarn(MobileRulesWarning(at: "event history", $0.message))
        }
        configuration.profile.reports?.report { observer.didWarn(MobileRulesWarning(at: "profile", $0.message)) }
    }

    /// Number of rules.
    public var ruleCount: Int { state.withLock { $0.rules.count } }

    // MARK: Rules

    /// Replaces all rules and assets, and processes the events that waited for the first rules.
    ///
    /// The new rules are compiled before they replace the old rules, and events are processed meanwhile.
    ///
    /// - Parameters:
    ///   - document: the new rules.
    ///   - assets: the assets of the new rules' consequences.
    /// - Returns: the results of the events that waited, in order. The observer receives them too. For an event of
    ///   ``processAll(_:)``, the results of the events that it dispatched follow. Empty from the second call on.
    @discardableResult
    public func replaceRules(with document: RulesDocument, assets: RulesAssets = .none) -> [MobileRulesResult] {
        let compiled = CompiledRules(document.rules, semantics: configuration.semantics)
        warn(document.warnings(under: configuration.semantics))
        return install { _ in (document.rules, compiled, assets) }
    }

    /// Adds rules after the existing rules, and processes waiting events like ``replaceRules(with:assets:)``.
    ///
    /// All rules are compiled again, and events wait meanwhile. Warnings about the document say that it was added, and
    /// their rule indexes count only its rules. Warnings about events count all rules.
    ///
    /// - Returns: the results of the events that waited, as for ``replaceRules(with:assets:)``.
    @discardableResult
    public func addRules(_ document: RulesDocument) -> [MobileRulesResult] {
        warn(
            document.warnings(under: configuration.semantics).map {
                MobileRulesWarning(at: "added document, \($0.place)", $0.message, ruleIndex: $0.ruleIndex)
            })
        return install { state in
            let rules = state.rules + document.rules
            return (rules, CompiledRules(rules, semantics: configuration.semantics), state.assets)
        }
    }

    private func install(_ change: (State) -> ([MobileRule], CompiledRules, RulesAssets)) -> [MobileRulesResult] {
        let isTraced = isTraced
        var results = turn.withLock { _ in
            let (rules, compiled, assets) = change(state.withLock { $0 })
            let waiting = state.withLock { state in
                let waiting = state.waiting.entries
                state = State(rules: rules, compiled: compiled, assets: assets, hasRules: true)
                return waiting
            }
            return waiting.flatMap { waiting in
                Self.chain(waiting.event, includesDispatched: waiting.includesDispatched) {
                    run($0, &$1, isTraced: isTraced, includesDispatched: waiting.includesDispatched)
                }
            }
        }
        for index in results.indices {
            results[index].finishRecords(in: configuration.history)
            announce(results[index])
            configuration.observer?.didReplay(results[index])
        }
        return results
    }

    // MARK: Events

    /// Evaluates an event and performs the consequences.
    ///
    /// All conditions are evaluated before any consequence runs, and read the event as it arrived.
    @discardableResult
    public func process(_ event: MobileEvent) -> MobileRulesResult {
        var budget = EventBudget()
        return process(event, &budget, includesDispatched: false)
    }

    private func process(
        _ event: MobileEvent, _ budget: inout EventBudget, includesDispatched: Bool
    ) -> MobileRulesResult {
        let isTraced = isTraced
        var result = turn.withLock { _ in
            wait(event, includesDispatched: includesDispatched)
                ?? run(event, &budget, isTraced: isTraced, includesDispatched: includesDispatched)
        }
        result.finishRecords(in: configuration.history)
        announce(result)
        return result
    }

    /// Processes an event, then the events that its consequences dispatch, until there are no more.
    ///
    /// - Returns: one result per event, in processing order.
    @discardableResult
    public func processAll(_ event: MobileEvent) -> [MobileRulesResult] {
        Self.chain(event, includesDispatched: true) { process($0, &$1, includesDispatched: true) }
    }

    /// The results of an event and, if `includesDispatched`, of the events that it dispatches, in order. All share one
    /// budget.
    private static func chain(
        _ event: MobileEvent, includesDispatched: Bool, _ process: (MobileEvent, inout EventBudget) -> MobileRulesResult
    ) -> [MobileRulesResult] {
        var results: [MobileRulesResult] = []
        var budget = EventBudget()
        var next = [event][...]
        while let event = next.popFirst() {
            let result = process(event, &budget)
            results.append(result)
            if includesDispatched { next += result.dispatched }
        }
        return results
    }

    /// Returns the consequences of the rules that match the event, in order, with tokens replaced. Performs none of
    /// them.
    public func evaluate(_ event: MobileEvent) -> [Consequence] {
        var evaluation = evaluation(of: event, by: state.withLock { $0.compiled })
        defer { report(evaluation.warnings) }
        return evaluation.consequences().map(\.consequence)
    }

    /// Returns the indexes of the rules that match the event, ascending. Performs no consequences.
    package func matchingRules(for event: MobileEvent) -> [Int] {
        var evaluation = evaluation(of: event, by: state.withLock { $0.compiled })
        return evaluation.matchingRules()
    }

    /// Explains which conditions of which rules hold for the event now. Performs no consequences.
    public func explain(_ event: MobileEvent) -> RulesExplanation {
        explain(event, EvaluationEnvironment(configuration))
    }

    private func explain(_ event: MobileEvent, _ environment: EvaluationEnvironment) -> RulesExplanation {
        var evaluator = ConditionEvaluator(
            semantics: configuration.semantics, view: EventView(event, environment))
        return evaluator.explain(state.withLock { $0.rules })
    }

    /// Keeps the event until the first rules arrive, within the limits; `nil` if there are rules.
    private func wait(_ event: MobileEvent, includesDispatched: Bool) -> MobileRulesResult? {
        state.withLock { state in
            if state.hasRules { return nil }
            let (isWaiting, warning) = state.waiting.append(
                event, includesDispatched: includesDispatched, within: configuration)
            var result = MobileRulesResult(event: event, isWaiting: isWaiting)
            result.warnings = warning.map { [$0] } ?? []
            return result
        }
    }

    /// Evaluates an event against the current rules.
    ///
    /// - Parameters:
    ///   - budget: the event's budget, from which the cost is deducted.
    ///   - isTraced: whether the result has an explanation.
    ///   - includesDispatched: whether dispatched events will be processed afterwards.
    ///   - first: the first result, if the event is processed again.
    private func run(
        _ event: MobileEvent, _ budget: inout EventBudget, isTraced: Bool, includesDispatched: Bool,
        after first: MobileRulesResult? = nil
    ) -> MobileRulesResult {
        let (compiled, assets) = state.withLock { ($0.compiled, $0.assets) }
        let environment = EvaluationEnvironment(configuration)
        let explanation = isTraced ? explain(event, environment) : nil
        let run = EventRun(
            compiled: compiled, assets: assets, environment: environment, profile: configuration.profile,
            hasInterceptor: configuration.interceptor != nil)
        var result = run.result(of: event, &budget, after: first)
        result.includesDispatched = includesDispatched
        result.explanation = explanation
        return result
    }

    /// Whether the observer wants explanations. Read without a lock, because the observer may call the engine.
    private var isTraced: Bool { configuration.observer?.wantsExplanations == true }

    private func evaluation(of event: MobileEvent, by compiled: CompiledRules) -> RuleEvaluation {
        RuleEvaluation(compiled, EventView(event, EvaluationEnvironment(configuration)))
    }

    // MARK: Reports, outside of the locks

    private func announce(_ result: MobileRulesResult) {
        configuration.profile.reportChanges()
        if let explanation = result.explanation { configuration.observer?.didEvaluate(explanation) }
        report(result.warnings + unhandled(result.triggered))
        for triggered in result.triggered { configuration.handlers[triggered.consequence.type]?.handle(triggered) }
        guard let held = result.held, let original = result.original else { return }
        let answer = FirstAnswer()
        configuration.interceptor?.reevaluate(result.event, rules: held.askingRules) { areRulesCurrent in
            guard answer.takeFirst(), areRulesCurrent else { return }
            for var result in self.runAgain(original, after: result) {
                result.finishRecords(in: self.configuration.history)
                self.announce(result)
                self.configuration.observer?.didReevaluate(result)
            }
        }
    }

    private func runAgain(_ event: MobileEvent, after first: MobileRulesResult) -> [MobileRulesResult] {
        let includesDispatched = first.includesDispatched
        let isTraced = isTraced
        return turn.withLock { _ in
            Self.chain(event, includesDispatched: includesDispatched) {
                run(
                    $0, &$1, isTraced: isTraced, includesDispatched: includesDispatched,
                    after: $0.generation == event.generation ? first : nil)
            }
        }
    }

    /// Warnings about consequences without a handler, if there are handlers for other types.
    private func unhandled(_ triggered: [TriggeredConsequence]) -> [MobileRulesWarning] {
        if triggered.isEmpty || configuration.handlers.isEmpty { return [] }
        // The engine itself has performed these two.
        var known: Set = ["csp", "schema"]
        return triggered.compactMap { triggered in
            let type = triggered.consequence.type
            if configuration.handlers[type] != nil || !known.insert(type).inserted { return nil }
            return MobileRulesWarning(
                at: "handlers", "no handler for consequences of type '\(type.excerpt())'; they are only in results.")
        }
    }

    /// Reports the warnings about events that were not reported since the rules were loaded.
    private func report(_ warnings: [MobileRulesWarning]) {
        if warnings.isEmpty || configuration.observer == nil { return }
        warn(state.withLock { $0.reported.new(among: warnings) })
    }

    /// Reports warnings to the observer.
    func warn(_ warnings: [MobileRulesWarning]) {
        guard let observer = configuration.observer else { return }
        for warning in warnings { observer.didWarn(warning) }
    }
}

/// Accepts only the first of several answers.
private final class FirstAnswer: Sendable {
    private let isTaken = Atomic(false)

    func takeFirst() -> Bool { !isTaken.exchange(true, ordering: .sequentiallyConsistent) }
}
