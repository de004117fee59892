package import ConvertECMAScript

/// Matches rule sets against attributes: any group, every clause, any condition, fail-closed.
///
/// Stateless and safe to share between threads. An empty set, group or clause never passes; what is empty or malformed
/// was reported when the rules were flattened. An absent attribute is passed on for every operator, since presence
/// operators depend on it.
package struct RuleManager: Sendable {
    /// The program of all rule sets.
    package let program: RuleProgram

    /// The only rule set of a manager that was made for it.
    private let rules: CompiledRules

    /// A manager of the rule sets of `program`, which gates name one by one.
    init(_ program: RuleProgram) {
        self.program = program
        rules = .empty
    }

    /// A manager of one rule set.
    ///
    ///     RuleManager(groups).evaluate(against: ["country": "Canada", "visits": 3])
    ///
    /// - Parameters:
    ///   - rules: the groups of a flattened graph; none never pass.
    ///   - semantics: the answers to the open questions.
    ///   - keysAreCaseSensitive: whether attribute names count their case; without effect under ``RuleSemantics/javaScript``.
    package init(_ rules: [RuleGroup], semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true) {
        var compiler = RuleCompiler(semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
        var diagnostics: [ConfigDiagnostic] = []
        self.rules = compiler.compile(rules, diagnostics: &diagnostics)
        program = RuleProgram(compiler)
    }

    /// Whether `attributes` pass; `nil`, no data at all, passes nothing. `false` also where the reference throws.
    package func evaluate(against attributes: JSObject?) -> Bool { verdict(on: attributes).isMatch }

    /// As ``evaluate(against:)``, telling malformed rules apart from those that do not match.
    package func verdict(on attributes: JSObject?) -> RuleVerdict {
        guard let attributes else { return verdict(answeredBy: NoData()) }
        var resolved = resolve(attributes)
        return verdict(on: &resolved)
    }

    /// Matches the rules against resolved attributes.
    package func verdict(on attributes: inout Attributes) -> RuleVerdict {
        var budget = CallBudget()
        return evaluate(rules, against: &attributes, &budget, observer: SilentObserver())
    }

    /// Matches the rules by asking `data` for each condition that evaluation reaches.
    package func verdict(answeredBy data: some RuleData) -> RuleVerdict {
        var budget = CallBudget()
        return evaluate(rules, answeredBy: data, &budget, observer: SilentObserver())
    }

    /// `attributes` in the program's slots.
    package func resolve(_ attributes: JSObject) -> Attributes { Attributes(attributes, in: program) }
}

extension RuleManager {
    /// Matches a rule set against attributes, in time linear to the conditions reached and to the texts of attributes that
    /// are read for the first time. It allocates only where such a text is copied.
    ///
    /// - Parameter index: where the verdict is remembered, unless a later call could come to another one.
    // Inlined with its callees, because it is most of what one decision costs (W1).
    @inline(__always)
    func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, against attributes: inout Attributes, _ budget: inout CallBudget,
        observer: Observer, rememberedAt index: Int? = nil
    ) -> RuleVerdict {
        program.lend(&attributes, &budget) { reader in
            var source = reader
            let skippedCount = reader.budget.pointee.skippedCount
            let verdict = verdict(of: rules, &source, observer)
            if reader.budget.pointee.skippedCount != skippedCount {
                reader.forgetSkipped()
            } else if let index {
                reader.remember(verdict, at: index)
            }
            return verdict
        }
    }

    /// Matches a rule set by asking `data` for each condition that evaluation reaches.
    func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, answeredBy data: some RuleData, _ budget: inout CallBudget, observer: Observer
    ) -> RuleVerdict {
        withExtendedLifetime(program) {
            var source = RuleDataReader(program: program, data: data, budget: budget)
            defer { budget = source.budget }
            return verdict(of: rules, &source, observer)
        }
    }

    // The loops count by hand: a range checks its bounds at each step, which W3 pays for a hundred times.

    /// Any group.
    @inline(__always)
    private func verdict<Source: TruthSource, Observer: RuleObserver>(
        of rules: CompiledRules, _ source: inout Source, _ observer: Observer
    ) -> RuleVerdict {
        let (start, end) = (rules.groups.start, rules.groups.start &+ rules.groups.count)
        var group = start
        while group < end {
            observer.willEvaluate(group: group &- start)
            let verdict = verdict(ofGroup: group, &source, observer)
            observer.didEvaluate(group: group &- start, verdict)
            // Missing data, or a `null`, ends the evaluation like a match, as in the reference: a later group is not asked.
            if verdict != .notMatched { return verdict }
            group &+= 1
        }
        return .notMatched
    }

    /// Every clause; an empty group does not match. Under ``RuleSemantics/flat`` each condition is a clause.
    @inline(__always)
    private func verdict<Source: TruthSource, Observer: RuleObserver>(
        ofGroup group: Int, _ source: inout Source, _ observer: Observer
    ) -> RuleVerdict {
        var result = RuleVerdict.notMatched
        var (clause, end) = program.clauses(of: group)
        while clause < end {
            let verdict = verdict(ofClause: clause, &source, observer)
            observer.didEvaluate(clause: clause, verdict)
            if verdict == .notMatched || verdict == .malformed { return verdict }
            let isMissingData = Source.canMissData && (result == .needMoreData || result == .noDataFound)
            if !isMissingData || program.semantics.letsLaterClausesHideMissingData { result = verdict }
            clause &+= 1
        }
        return result
    }

    /// Any condition; an empty clause does not match.
    @inline(__always)
    private func verdict<Source: TruthSource, Observer: RuleObserver>(
        ofClause clause: Int, _ source: inout Source, _ observer: Observer
    ) -> RuleVerdict {
        var (index, end) = program.conditions(of: clause)
        while index < end {
            let condition = program.conditions[index]
            if let holds = source.quickAnswer(to: condition.comparison) {
                observer.didEvaluate(condition: index, Truth(holds))
                // As ``Truth/holds(negated:)``, without making a truth (W3).
                if holds != condition.isNegated { return .matched }
            } else {
                let truth = source.truth(of: condition.comparison, at: index)
                observer.didEvaluate(condition: index, truth)
                if truth.holds(negated: condition.isNegated) { return .matched }
                if let exception = truth.exception { return exception }
            }
            index &+= 1
        }
        return .notMatched
    }
}

/// What answers comparisons while rules are walked.
protocol TruthSource {
    /// Whether data can be missing, which is more than that an attribute is absent.
    static var canMissData: Bool { get }

    /// The answer to a comparison of the program, if precomputed numbers alone decide it; else `nil`.
    func quickAnswer(to comparison: Int) -> Bool?

    /// The answer to a comparison that has no quick one, for the condition at `condition`.
    mutating func truth(of comparison: Int, at condition: Int) -> Truth
}

/// No data at all: no condition holds, whatever it asks.
private struct NoData: RuleData {
    func answer(for condition: RuleCondition) -> RuleDataAnswer { .unsupported }
}
