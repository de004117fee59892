package import ConvertECMAScript

/// Matches rule sets against attributes: any group, every clause, any condition, fail-closed.
///
/// Stateless and safe to share between threads. An empty set, group or clause never passes; what is empty or malformed
/// was reported when the rules were flattened. An absent attribute is passed on for every operator, since presence
/// operators depend on it.
package struct RuleManager: Sendable {
    /// The answers to the open questions.
    package let semantics: RuleSemantics

    /// Whether attribute names count their case; without effect under ``RuleSemantics/javaScript``.
    package let keysAreCaseSensitive: Bool

    /// A manager.
    package init(semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true) {
        self.semantics = semantics
        self.keysAreCaseSensitive = keysAreCaseSensitive
    }

    /// Whether `attributes` pass `rules`.
    ///
    ///     RuleManager().evaluate(rules: groups, against: ["country": "Canada", "visits": 3])
    ///
    /// - Parameters:
    ///   - rules: the groups of a flattened graph; none never pass.
    ///   - attributes: the visitor's side; `nil`, no data at all, passes nothing.
    /// - Returns: `false` also where the reference throws. The rules are compiled at each call; a ``Project`` does
    ///   it once.
    package func evaluate(rules: [RuleGroup], against attributes: JSObject?) -> Bool {
        verdict(of: rules, against: attributes).isMatch
    }

    /// As ``evaluate(rules:against:)``, telling malformed rules apart from those that do not match.
    package func verdict(of rules: [RuleGroup], against attributes: JSObject?) -> RuleVerdict {
        guard let attributes else { return verdict(of: rules, answeredBy: NoData()) }
        let set = compile(rules)
        var resolved = set.resolve(attributes)
        return set.verdict(on: &resolved)
    }

    /// Matches `rules` by asking `data` for each condition that evaluation reaches.
    package func verdict(of rules: [RuleGroup], answeredBy data: some RuleData) -> RuleVerdict {
        compile(rules).verdict(answeredBy: data)
    }

    private func compile(_ rules: [RuleGroup]) -> CompiledRuleSet {
        CompiledRuleSet(rules, semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
    }
}

extension RuleManager {
    // The loops count by hand: a range checks its bounds at each step, which W3 pays for a hundred times.

    /// Any group, every clause, any condition. Under ``RuleSemantics/flat`` each condition is a clause.
    @inline(__always)
    static func verdict<Source: TruthSource, Observer: RuleObserver>(
        of rules: CompiledRules, in tables: UnsafePointer<RuleTables>, _ source: inout Source,
        _ observer: Observer
    ) -> RuleVerdict {
        let (start, end) = (rules.groups.lowerBound, rules.groups.upperBound)
        var group = start
        while group < end {
            observer.willEvaluate(group: group &- start)
            let verdict = verdict(ofGroup: group, in: tables, &source, observer)
            observer.didEvaluate(group: group &- start, verdict)
            // Missing data, or a `null`, ends the evaluation like a match, as in the reference: a later group is not asked.
            if verdict != .notMatched { return verdict }
            group &+= 1
        }
        return .notMatched
    }

    /// Every clause; an empty group does not match.
    @inline(__always)
    private static func verdict<Source: TruthSource, Observer: RuleObserver>(
        ofGroup group: Int, in tables: UnsafePointer<RuleTables>, _ source: inout Source, _ observer: Observer
    ) -> RuleVerdict {
        var result = RuleVerdict.notMatched
        var (clause, end) = tables.pointee.clauses(of: group)
        while clause < end {
            let verdict = verdict(ofClause: clause, in: tables, &source, observer)
            observer.didEvaluate(clause: clause, verdict)
            if verdict == .notMatched || verdict == .malformed { return verdict }
            let isMissingData = Source.canMissData && (result == .needMoreData || result == .noDataFound)
            if !isMissingData || tables.pointee.semantics.letsLaterClausesHideMissingData { result = verdict }
            clause &+= 1
        }
        return result
    }

    /// Any condition; an empty clause does not match.
    @inline(__always)
    private static func verdict<Source: TruthSource, Observer: RuleObserver>(
        ofClause clause: Int, in tables: UnsafePointer<RuleTables>, _ source: inout Source, _ observer: Observer
    ) -> RuleVerdict {
        let conditions = tables.pointee.conditions
        var (index, end) = tables.pointee.conditions(of: clause)
        while index < end {
            let condition = conditions[index]
            if let holds = source.holdsPlainly(condition.comparison) {
                observer.didEvaluate(condition: index, Truth(holds))
                // As ``Truth/holds(negated:)``, of what can be no exception.
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

    /// Whether a comparison of the program holds, if that takes no longer than to remember it.
    func holdsPlainly(_ comparison: Int) -> Bool?

    /// The answer to a comparison of the program that does not hold plainly or not, for the condition at `condition`.
    mutating func truth(of comparison: Int, at condition: Int) -> Truth
}

/// No data at all: no condition holds, whatever it asks.
private struct NoData: RuleData {
    func answer(for condition: RuleCondition) -> RuleDataAnswer { .unsupported }
}
