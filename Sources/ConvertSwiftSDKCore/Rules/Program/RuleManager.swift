internal import ConvertECMAScript

/// Matches the rule sets of a program against attributes: any group, every clause, any condition, fail-closed.
///
/// Stateless and safe to share between threads. An empty set, group or clause never passes; what is empty or malformed
/// was reported when the rules were flattened. An absent attribute is passed on for every operator, since presence
/// operators depend on it.
package struct RuleManager: Sendable {
    /// The program of all rule sets.
    let program: RuleProgram
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
