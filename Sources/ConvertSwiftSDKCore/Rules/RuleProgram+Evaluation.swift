extension RuleProgram {
    /// Matches a rule set against resolved attributes. It allocates nothing and takes time linear to the conditions
    /// reached; the observer is told of each of them.
    package func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, against attributes: ResolvedAttributes, observer: inout Observer
    ) -> RuleVerdict {
        withOperands { operands in
            attributes.lend { attributes in
                let comparison = Comparison(operands: operands, attributes: attributes)
                return walk(rules, observer: &observer) { condition in
                    Self.verdict(of: condition, comparison)
                }
            }
        }
    }

    /// Matches a rule set by asking `data` for each condition that evaluation reaches.
    package func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, answeredBy data: some RuleData, observer: inout Observer
    ) -> RuleVerdict {
        walk(rules, observer: &observer) { condition in
            switch condition.action {
            case .never: return .notMatched
            case .malformed: return .malformed
            case .compare: break
            }
            switch data.answer(for: sources[Int(condition.source)]) {
            case .value(let value): return Comparisons.evaluate(condition, of: self, value: value).map(RuleVerdict.init)
            case .result(let holds): return RuleVerdict(holds)
            case .needMoreData: return .needMoreData
            case .noDataFound: return .noDataFound
            case .unsupported: return .notMatched
            }
        }
    }

    /// The verdict on one condition, or `nil` if it was given up because finding out takes too long.
    @inline(__always)
    private static func verdict(of condition: PreparedCondition, _ comparison: Comparison) -> RuleVerdict? {
        switch condition.action {
        case .never: return .notMatched
        case .malformed: return .malformed
        case .compare: break
        }
        let slot = Int(condition.slot)
        let slots = comparison.attributes.slots
        guard slot >= 0, slot < slots.count, slots[slot].kind != .absent else {
            return verdictWhenAbsent(of: condition, comparison)
        }
        return Comparisons.evaluate(condition, comparison, slots[slot], slot: slot).map(RuleVerdict.init)
    }

    /// Apart from the common way, so that the attribute there is read in place.
    @inline(never)
    private static func verdictWhenAbsent(of condition: PreparedCondition, _ comparison: Comparison) -> RuleVerdict? {
        if let result = condition.whenAbsent { return RuleVerdict(result) }
        // Compared as an empty text, which has no bytes in any pool.
        var empty = ResolvedAttribute()
        empty.kind = .string
        return Comparisons.evaluate(condition, comparison, empty, slot: Int(condition.slot)).map(RuleVerdict.init)
    }

    /// Any group, every clause, any condition (every one under ``RuleSemantics/flat``).
    @inline(__always)
    private func walk<Observer: RuleObserver>(
        _ rules: CompiledRules, observer: inout Observer, verdictOf: (PreparedCondition) -> RuleVerdict?
    ) -> RuleVerdict {
        for group in rules.groups {
            observer.willEvaluate(group: group - rules.groups.lowerBound)
            let verdict = walk(group: group, observer: &observer, verdictOf: verdictOf)
            observer.didEvaluate(group: group - rules.groups.lowerBound, verdict)
            // Missing data ends the evaluation like a match, as in the reference: a later group is not asked.
            if verdict != .notMatched { return verdict }
        }
        return .notMatched
    }

    @inline(__always)
    private func walk<Observer: RuleObserver>(
        group: Int, observer: inout Observer, verdictOf: (PreparedCondition) -> RuleVerdict?
    ) -> RuleVerdict {
        var result = RuleVerdict.notMatched
        for clause in clauses(of: group) {
            let verdict = walk(clause: clause, observer: &observer, verdictOf: verdictOf)
            observer.didEvaluate(clause: clause, verdict)
            if verdict == .notMatched || verdict == .malformed { return verdict }
            let isMissingData = result == .needMoreData || result == .noDataFound
            if !isMissingData || semantics.letsLaterClausesHideMissingData { result = verdict }
        }
        return result
    }

    @inline(__always)
    private func walk<Observer: RuleObserver>(
        clause: Int, observer: inout Observer, verdictOf: (PreparedCondition) -> RuleVerdict?
    ) -> RuleVerdict {
        let needsAll = semantics.requiresAllLeaves
        var result = RuleVerdict.notMatched
        for index in conditions(of: clause) {
            guard let verdict = verdictOf(conditions[index]) else {
                observer.didAbandon(condition: index)
                if needsAll { return .notMatched }
                continue
            }
            observer.didEvaluate(condition: index, verdict)
            if verdict == .malformed { return verdict }
            if needsAll {
                if verdict == .notMatched { return verdict }
                if result == .notMatched || result == .matched { result = verdict }
            } else if verdict != .notMatched {
                return verdict
            }
        }
        return result
    }
}
