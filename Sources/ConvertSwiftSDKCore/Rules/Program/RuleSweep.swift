internal import ConvertECMAScript

/// The sweep: evaluates all comparisons at once, and derives the verdicts of many rule sets from the answers.
///
/// The alternative is the walk, which evaluates one rule set at a time and stops at its verdict. Both reach the same
/// verdicts with the same operator functions; `RuleSweepTests` compares them. The sweep leaves comparisons to the walk
/// that could take long, count against a budget or end an evaluation.
extension RuleManager {
    // In a walk over many experiences the processor mispredicts every other branch. That takes longer than evaluating
    // every comparison without branches (W2).

    /// Whether a sweep is faster than a walk for `count` decisions. A sweep evaluates all comparisons, even if no
    /// decision needs them.
    func isWorthSweeping(forDecisions count: Int) -> Bool {
        count >= 8 && program.conditions.count <= 32 * count
            && program.comparisons.count <= Attributes.keptTruths
    }

    /// Caches the verdicts of the first `count` rule sets, except sets with a comparison that is left to the walk.
    ///
    /// - Parameter rules: returns the rule set at an index, or `nil` to skip the index.
    @inline(__always)
    func sweep(
        _ attributes: inout Attributes, _ budget: inout CallBudget, _ count: Int, rules: (Int) -> CompiledRules?
    ) {
        program.lend(&attributes, &budget) { reader in
            var answers = SweptAnswers(of: program.comparisons.count)
            for index in program.comparisons.indices {
                if let holds = reader.quickAnswer(to: index) {
                    answers.note(holds, !holds, of: index)
                } else if let truth = reader.slowSweptTruth(of: index), truth.isPlain {
                    answers.note(truth.holds(negated: false), truth.holds(negated: true), of: index)
                }
            }
            reader.rememberEach(of: count) { rules($0).flatMap { answers.matches($0, in: program) } }
        }
        attributes.markSwept()
    }
}

extension AttributeReader {
    /// The answer to the comparison at `index`; `nil` if the walk must answer it.
    @inline(__always)
    fileprivate func slowSweptTruth(of index: Int) -> Truth? {
        let operand = resolver.row(at: index).operand
        if operand == .pattern || operand == .mobileValues || operand == .null { return nil }
        let comparison = comparison(at: index)
        let attribute = comparison.attribute
        // The walk answers comparisons of longer texts, arrays and objects.
        if attribute.text.count > CallBudget.freeTextCount { return nil }
        if attribute.kind == .array || attribute.kind == .object { return nil }
        return Comparisons.slowAnswer(comparison)
    }
}

/// The answers of a sweep, two for each comparison: whether it holds, and whether its negation holds.
private struct SweptAnswers: ~Copyable {
    private static let holds: UInt8 = 1
    /// The value for a missing answer, and for an answer other than yes or no.
    private static let missing: UInt8 = 2

    private var answers: Rows<UInt8>

    init(of comparisonCount: Int) { answers = Rows(repeating: Self.missing, count: 2 * comparisonCount) }

    @inline(__always)
    mutating func note(_ holds: Bool, _ negationHolds: Bool, of comparison: Int) {
        answers[2 &* comparison] = holds ? Self.holds : 0
        answers[2 &* comparison &+ 1] = negationHolds ? Self.holds : 0
    }

    /// Returns 1 if `rules` match and 0 if not. Returns `nil` if an answer is missing or a clause is empty.
    // A number, because the processor would mispredict a branch on a verdict half of the time.
    @inline(__always)
    func matches(_ rules: CompiledRules, in program: RuleProgram) -> UInt8? {
        if rules.hasEmptyClause { return nil }
        // The lowest bits are the verdicts. The other bits of `all` show whether an answer is missing.
        var (holdsAny, holdsAll, matches, all): (UInt8, UInt8, UInt8, UInt8) = (0, Self.holds, 0, 0)
        for condition in program.conditions[rules.conditions] {
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
