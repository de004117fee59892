internal import ConvertECMAScript

/// The sweep: all plain comparisons answered at once, attribute by attribute, and verdicts read off them without a branch
/// for each condition.
///
/// Where a call decides many experiences, a walk guesses wrong at every other condition, and that takes longer than
/// comparing (W2). A sweep finds nothing but what the walk would: it asks the same ``Comparisons`` and remembers their
/// truths where the walk does. What could take long, counts against a budget or ends an evaluation is left for the walk.
extension AttributeReader {
    /// Of longer texts no comparison is made before a condition asks for it.
    private static let sweptTextCount = 256

    /// Remembers the truths of all plain comparisons.
    func sweep() {
        for run in rules.runs where isSwept(run) {
            let slot = Int(run.slot)
            resolveIfNeeded(slot)
            answer(run, on: slot)
        }
    }

    private func isSwept(_ run: ComparisonRun) -> Bool {
        switch run.kind {
        case .matchesPattern, .mobile, .null: false
        default: true
        }
    }

    @inline(__always)
    private func answer(_ run: ComparisonRun, on slot: Int) {
        let attribute = attributes.slots[slot]
        let isCompared = attribute.kind != .absent || rules.semantics.comparesAbsentAsEmpty
        switch (run.kind, attribute.kind) {
        case (_, .array), (_, .object): return
        case (.textEquals, _) where isCompared:
            remember(run) { Truth(attribute.equalNumber == $0.operand) }
        case (.lessThanNumber, _) where isCompared && attribute.isNumber:
            remember(run) { Truth(attribute.number < $0.number) }
        case (.atMostNumber, _) where isCompared && attribute.isNumber:
            remember(run) { Truth(attribute.number <= $0.number) }
        case (.textIn, _) where isCompared && !attribute.hasBar:
            let bit: UInt64 = attribute.listNumber < 64 ? 1 &<< UInt64(attribute.listNumber) : 0
            remember(run) { Truth($0.bits & bit != 0) }
        default:
            guard max(attribute.text.count, attribute.lowercase.count) <= Self.sweptTextCount else { return }
            for index in run.range.indices { remember(Comparisons.truth(of: index, on: slot, self), of: index) }
        }
    }

    @inline(__always)
    private func remember(_ run: ComparisonRun, _ truth: (ComparisonRow) -> Truth) {
        for index in run.range.indices { remember(truth(rules.comparisons[index]), of: index) }
    }

    /// The truths that are remembered, to read verdicts off.
    var sweptTruths: SweptTruths { SweptTruths(rules, attributes.truths) }
}

/// Truths that a sweep found. As a ``ByteText`` it is used only while what it views is lent.
struct SweptTruths {
    private let conditions: FrozenTable<ConditionRow>
    private let truths: UnsafeMutableBufferPointer<Truth>

    fileprivate init(_ tables: RuleTables, _ truths: UnsafeMutableBufferPointer<Truth>) {
        conditions = tables.conditions
        self.truths = truths
    }

    /// What comes of `rules`, if the truths tell: none is missing, each is yes or no, and no clause or group is empty.
    @inline(__always)
    func verdict(of rules: CompiledRules) -> RuleVerdict? {
        var index = rules.conditions.start
        let end = index &+ rules.conditions.count
        guard index < end else { return .notMatched }
        guard conditions[end &- 1].endsGroup else { return nil }
        // Words of which the lowest bit counts.
        var (holdsAny, holdsAll, matches): (UInt32, UInt32, UInt32) = (0, 1, 0)
        var oddities: UInt32 = 0
        while index < end {
            let condition = conditions[index]
            index &+= 1
            let truth = truths[condition.comparison].word
            oddities |= truth ^ Truth.plainWord
            holdsAny |= truth &>> condition.negation
            guard condition.endsClause else { continue }
            holdsAll &= holdsAny
            holdsAny = 0
            guard condition.endsGroup else { continue }
            matches |= holdsAll
            holdsAll = 1
        }
        return oddities & Truth.oddBits == 0 ? RuleVerdict(matches & 1 != 0) : nil
    }
}
