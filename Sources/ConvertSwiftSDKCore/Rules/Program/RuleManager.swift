internal import ConvertECMAScript

/// Matches the rule sets of a program against attributes. A set matches if any group matches, a group if every clause
/// matches, and a clause if any condition holds. Failures count as no match.
///
/// Stateless and safe to share between threads. An empty set, group or clause never matches. Empty and malformed parts
/// are reported when the rules are flattened. Every operator receives absent attributes, because the presence operators
/// need them.
package struct RuleManager: Sendable {
    let program: RuleProgram
}

extension RuleManager {
    /// Matches a rule set against attributes. Takes time linear to the number of conditions reached and to the length
    /// of texts that are read for the first time. Allocates only to copy such a text.
    ///
    /// - Parameter index: where the verdict is cached; `nil` to cache nothing. A verdict without the answers of skipped
    ///   comparisons is not cached, because a later call could reach another verdict.
    // Keep it inlined with its callees: they are most of the cost of one decision (W1).
    @inline(__always)
    func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, against attributes: inout Attributes, _ budget: inout CallBudget,
        observer: Observer, rememberedAt index: Int? = nil
    ) -> RuleVerdict {
        program.lend(&attributes, &budget) { reader in
            var source = reader
            let skippedCount = reader.budget.value.skippedCount
            let verdict = verdict(of: rules, &source, observer)
            if reader.budget.value.skippedCount != skippedCount {
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

    // Keep the explicit indices: iterating over a range is slower (W3). They are within the program's tables, so `&+`
    // never overflows.

    /// Any group must match.
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
            // Missing data, or a `null`, ends the evaluation like a match: as in the reference, later groups are not
            // evaluated.
            if verdict != .notMatched { return verdict }
            group &+= 1
        }
        return .notMatched
    }

    /// Every clause must match; an empty group does not match. Under ``RuleSemantics/flat`` each condition is a clause.
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

    /// Any condition must hold; an empty clause does not match.
    @inline(__always)
    private func verdict<Source: TruthSource, Observer: RuleObserver>(
        ofClause clause: Int, _ source: inout Source, _ observer: Observer
    ) -> RuleVerdict {
        var (index, end) = program.conditions(of: clause)
        while index < end {
            let condition = program.conditions[index]
            if let holds = source.quickAnswer(to: condition.comparison) {
                observer.didEvaluate(condition: index, Truth(holds))
                // Equals ``Truth/holds(negated:)``, but creates no truth (W3).
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

/// Answers comparisons during an evaluation.
protocol TruthSource {
    /// Whether data can be missing. This is different from an absent attribute.
    static var canMissData: Bool { get }

    /// The answer to a comparison of the program, if precomputed numbers alone decide it; otherwise `nil`.
    func quickAnswer(to comparison: Int) -> Bool?

    /// The answer to a comparison without a quick answer, for the condition at `condition`.
    mutating func truth(of comparison: Int, at condition: Int) -> Truth
}
