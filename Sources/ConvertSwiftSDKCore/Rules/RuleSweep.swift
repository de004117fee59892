internal import ConvertECMAScript

/// The sweep: all plain comparisons answered at once, attribute by attribute, and verdicts read off the answers.
///
/// A sweep finds nothing but what the walk would. It asks ``Comparisons``, except for four kinds that it answers itself,
/// without a call for each (W2), as ``Comparisons/holdsPlainly(_:_:)`` does. What could take long, counts against a budget or
/// ends an evaluation is left for the walk. `RuleSweepTests` compares the two.
extension AttributeReader {
    // Where a call decides many experiences, a walk guesses wrong at every other condition, and that takes longer than
    // comparing (W2).

    /// Answers all plain comparisons and lends the answers to `body`.
    func sweep<Result>(_ body: (SweptAnswers) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * rules.comparisons.count) { bytes in
            bytes.initialize(repeating: SweptAnswers.missing)
            let answers = SweptAnswers(rules.conditions, bytes)
            for run in rules.runs where canSweep(run) {
                let slot = Int(run.slot)
                resolveIfNeeded(slot)
                answer(run, on: slot, answers)
            }
            return body(answers)
        }
    }

    private func canSweep(_ run: ComparisonRun) -> Bool {
        switch run.kind {
        case .matchesPattern, .mobile, .null: false
        default: true
        }
    }

    @inline(__always)
    private func answer(_ run: ComparisonRun, on slot: Int, _ answers: SweptAnswers) {
        let attribute = attributes.slots[slot]
        let isCompared = attribute.kind != .absent || rules.semantics.comparesAbsentAsEmpty
        switch (run.kind, attribute.kind) {
        case (_, .array), (_, .object): return
        case (.textEquals, _) where isCompared:
            note(run, answers) { attribute.equalNumber == $0.operand }
        case (.lessThanNumber, _) where isCompared && attribute.isNumber:
            note(run, answers) { attribute.number < $0.number }
        case (.atMostNumber, _) where isCompared && attribute.isNumber:
            note(run, answers) { attribute.number <= $0.number }
        case (.textIn, _) where attribute.kind != .absent && !attribute.hasBar:
            let bit: UInt64 = attribute.listNumber < 64 ? 1 &<< UInt64(attribute.listNumber) : 0
            note(run, answers) { $0.bits & bit != 0 }
        default:
            // Of longer texts no comparison is made before a condition asks for it.
            guard attribute.text.count <= CallBudget.freeTextCount else { return }
            for index in run.range.indices {
                answers.note(Comparisons.truth(of: index, on: slot, self), of: index)
            }
        }
    }

    @inline(__always)
    private func note(_ run: ComparisonRun, _ answers: SweptAnswers, _ holds: (ComparisonRow) -> Bool) {
        for index in run.range.indices { answers.note(holds(rules.comparisons[index]), of: index) }
    }
}

/// Answers that a sweep found, two for each comparison: whether it holds, and whether its negation does. As a
/// ``ByteText`` it is used only while what it views is lent.
struct SweptAnswers {
    private static let holds: UInt8 = 1
    /// There is no answer, or one that is more than yes or no.
    static let missing: UInt8 = 2

    private let conditions: FrozenTable<ConditionRow>
    private let answers: UnsafeMutableBufferPointer<UInt8>

    fileprivate init(_ conditions: FrozenTable<ConditionRow>, _ answers: UnsafeMutableBufferPointer<UInt8>) {
        self.conditions = conditions
        self.answers = answers
    }

    @inline(__always)
    fileprivate func note(_ holds: Bool, of comparison: Int) {
        answers[2 &* comparison] = holds ? Self.holds : 0
        answers[2 &* comparison &+ 1] = holds ? 0 : Self.holds
    }

    @inline(__always)
    fileprivate func note(_ truth: Truth, of comparison: Int) {
        guard truth.isPlain else { return }
        answers[2 &* comparison] = truth.holds(negated: false) ? Self.holds : 0
        answers[2 &* comparison &+ 1] = truth.holds(negated: true) ? Self.holds : 0
    }

    /// 1 if `rules` match, 0 if not; `nil` if the answers do not tell, because one is missing or a clause is empty.
    // A number, since a branch on a verdict would be guessed wrong half of the time.
    @inline(__always)
    func matches(_ rules: CompiledRules) -> UInt8? {
        let start = rules.conditions.start
        switch rules.shape {
        case .empty: return 0
        case .irregular: return nil
        case .conjunctions: return matchesConjunctions(start, start &+ rules.conditions.count)
        case .clauses: return matchesClauses(start, start &+ rules.conditions.count)
        }
    }

    /// Any group, every condition. The lowest bits count.
    @inline(__always)
    private func matchesConjunctions(_ start: Int, _ end: Int) -> UInt8? {
        var (holdsAll, matches, all): (UInt8, UInt8, UInt8) = (Self.holds, 0, 0)
        var index = start
        while index < end {
            let condition = conditions[index]
            index &+= 1
            let answer = answers[condition.answer]
            all |= answer
            holdsAll &= answer
            guard condition.endsGroup else { continue }
            matches |= holdsAll
            holdsAll = Self.holds
        }
        return all & Self.missing == 0 ? matches & Self.holds : nil
    }

    /// Any group, every clause, any condition. The lowest bits count.
    @inline(__always)
    private func matchesClauses(_ start: Int, _ end: Int) -> UInt8? {
        var (holdsAny, holdsAll, matches, all): (UInt8, UInt8, UInt8, UInt8) = (0, Self.holds, 0, 0)
        var index = start
        while index < end {
            let condition = conditions[index]
            index &+= 1
            let answer = answers[condition.answer]
            all |= answer
            holdsAny |= answer
            guard condition.endsClause else { continue }
            holdsAll &= holdsAny
            holdsAny = 0
            guard condition.endsGroup else { continue }
            matches |= holdsAll
            holdsAll = Self.holds
        }
        return all & Self.missing == 0 ? matches & Self.holds : nil
    }
}
