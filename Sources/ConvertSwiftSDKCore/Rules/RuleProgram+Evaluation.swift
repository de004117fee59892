extension RuleProgram {
    /// Matches a rule set against attributes. It takes time linear to the conditions reached, and to the texts of attributes
    /// that are read for the first time, for which it may make room; else it allocates nothing. The observer is told of each
    /// condition.
    package func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, against attributes: inout Attributes, observer: inout Observer
    ) -> RuleVerdict {
        lend(&attributes) { input in
            input.rules.walk(rules, observer: &observer) { Self.verdict(ofConditionAt: $0, input) }
        }
    }

    /// Matches a rule set by asking `data` for each condition that evaluation reaches.
    package func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, answeredBy data: some RuleData, observer: inout Observer
    ) -> RuleVerdict {
        withExtendedLifetime(self) {
            tables.pointee.walk(rules, observer: &observer) { index in
                switch conditions[index].action {
                case .never: return .notMatched
                case .misses: return RuleVerdict(conditions[index].negation)
                case .malformed: return .malformed
                case .compare: break
                }
                switch data.answer(for: sources[index]) {
                case .value(let value):
                    return Comparisons.evaluate(conditionAt: index, of: self, value: value).map(RuleVerdict.init)
                case .result(let holds): return RuleVerdict(holds)
                case .needMoreData: return .needMoreData
                case .noDataFound: return .noDataFound
                case .unsupported: return .notMatched
                }
            }
        }
    }

    /// The verdict on one condition, or `nil` if it was given up because finding out takes too long.
    @inline(__always)
    private static func verdict(ofConditionAt index: Int, _ input: AttributeReader) -> RuleVerdict? {
        switch input.rules.conditions[index].action {
        case .never: return .notMatched
        case .misses: return RuleVerdict(input.rules.conditions[index].negation)
        case .malformed: return .malformed
        case .compare: break
        }
        let slot = Int(input.rules.conditions[index].slot)
        let slots = input.attributes.slots
        guard slot >= 0, slot < slots.count, let attribute = slots.baseAddress.map({ $0 + slot }),
            attribute.pointee.kind.isPresent
        else { return verdictAtFirst(ofConditionAt: index, input) }
        return Comparisons.evaluate(index, input, attribute, slot: slot).map(RuleVerdict.init)
    }

    /// The verdict on a condition whose attribute nobody has looked at yet, or is absent. Apart from the common way, so that
    /// the attribute there is read in place.
    @inline(never)
    private static func verdictAtFirst(ofConditionAt index: Int, _ input: AttributeReader) -> RuleVerdict? {
        let slot = Int(input.rules.conditions[index].slot)
        if slot >= 0, slot < input.attributes.slots.count, input.attributes.slots[slot].kind == .unresolved {
            input.resolve(slot)
            let slots = input.attributes.slots
            if slots[slot].kind.isPresent, let attribute = slots.baseAddress.map({ $0 + slot }) {
                return Comparisons.evaluate(index, input, attribute, slot: slot).map(RuleVerdict.init)
            }
        }
        if let result = input.rules.conditions[index].whenAbsent { return RuleVerdict(result) }
        // Compared as an empty text, which has no bytes in any pool.
        var empty = Attribute()
        empty.kind = .string
        return withUnsafePointer(to: empty) {
            Comparisons.evaluate(index, input, $0, slot: slot).map(RuleVerdict.init)
        }
    }
}

extension RuleTables {
    /// Any group, every clause, any condition (every one under ``RuleSemantics/flat``).
    @inline(__always)
    fileprivate func walk<Observer: RuleObserver>(
        _ rules: CompiledRules, observer: inout Observer, verdictOf: (Int) -> RuleVerdict?
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
        group: Int, observer: inout Observer, verdictOf: (Int) -> RuleVerdict?
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
        clause: Int, observer: inout Observer, verdictOf: (Int) -> RuleVerdict?
    ) -> RuleVerdict {
        let needsAll = semantics.requiresAllLeaves
        var result = RuleVerdict.notMatched
        for index in conditions(of: clause) {
            guard let verdict = verdictOf(index) else {
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
