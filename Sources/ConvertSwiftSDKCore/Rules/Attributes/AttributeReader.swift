internal import ConvertECMAScript

/// The input of one evaluation: a program and attributes.
///
/// Invariants:
/// - A pointer in this type or in a ``ByteText`` is used only inside the ``RuleProgram/lend(_:_:to:)`` call that passes
///   it. The call keeps the program and the attributes alive until it returns.
/// - During the call only ``resolvesToScalar(_:)`` adds texts, and no ``ByteText`` is in use then.
/// - The program's indices and ranges are within its tables, as ``RuleCompiler`` made them.
/// - The attributes were made for this program; their owner ensures it.
// Keep pointers in place of arrays and texts: with arrays, comparisons are slower (W2), and threads that share a
// project wait for each other.
struct AttributeReader {
    fileprivate struct Contents {
        let resolver: AttributeResolver
        let budget: BorrowedValue<CallBudget>
    }

    // Keep a single pointer: a larger reader makes every comparison slower (W3).
    private let contents: BorrowedValue<Contents>

    @inline(__always)
    fileprivate init(_ contents: BorrowedValue<Contents>) { self.contents = contents }

    var resolver: AttributeResolver { @inline(__always) get { contents.value.resolver } }

    /// The rest of the call's budget.
    var budget: BorrowedValue<CallBudget> { contents.value.budget }
}

extension AttributeReader: TruthSource {
    @inline(__always) static var canMissData: Bool { false }

    /// Resolves the compared attribute if necessary.
    @inline(__always)
    func quickAnswer(to index: Int) -> Bool? {
        let comparison = comparison(at: index)
        if !comparison.attribute.isScalar, !resolvesToScalar(Int(comparison.row.slot)) { return nil }
        return Comparisons.quickAnswer(comparison)
    }

    /// Evaluates each comparison at most once, and caches the answer.
    @inline(__always)
    func truth(of index: Int, at condition: Int) -> Truth {
        let known = resolver.attributes[truth: index]
        if known.isKnown { return known }
        let comparison = comparison(at: index)
        // Most slow comparisons are text searches. The text of a scalar can be searched directly, without further
        // checks (W3).
        let isSearch = comparison.row.operand == .part && comparison.attribute.isScalar
        let truth = isSearch ? TextSearch.search(comparison) : Comparisons.slowAnswer(comparison)
        resolver.attributes[truth: index] = truth
        return truth
    }

    /// The comparison at `index` of the program. Its attribute must be resolved.
    @inline(__always)
    func comparison(at index: Int) -> Comparison { Comparison(index, on: Int(resolver.row(at: index).slot), self) }

    /// Resolves the attribute in `slot` if necessary, and returns whether it is a scalar.
    @inline(never)
    private func resolvesToScalar(_ slot: Int) -> Bool {
        if resolver.attributes[slot].kind == .unresolved { resolver.resolve(slot) }
        return resolver.attributes[slot].isScalar
    }

    /// Clears skipped answers, so that another call can compute them.
    @inline(never)
    func forgetSkipped() { resolver.attributes.clearSkipped() }

    @inline(__always)
    func remember(_ verdict: RuleVerdict, at index: Int) { resolver.attributes[verdict: index] = verdict.rawValue &+ 1 }

    /// Caches the verdicts of the first `count` rule sets: `matches` returns 1 for a match, 0 for no match, and `nil`
    /// to skip the rule set.
    @inline(__always)
    func rememberEach(of count: Int, _ matches: (Int) -> UInt8?) {
        let verdicts = resolver.attributes.verdicts
        for index in 0..<min(count, verdicts.count) {
            if let matches = matches(index) { verdicts[index] = RuleVerdict.notMatched.rawValue &+ matches &+ 1 }
        }
    }
}

extension RuleProgram {
    /// Calls `body` with the program, `attributes` and the rest of the call's budget.
    @inline(__always)
    func lend<Result>(
        _ attributes: inout Attributes, _ budget: inout CallBudget, to body: (AttributeReader) -> Result
    ) -> Result {
        withBorrowedValue(&budget) { budget in
            attributes.lend(by: self) { resolver in
                var contents = AttributeReader.Contents(resolver: resolver, budget: budget)
                return withBorrowedValue(&contents) { body(AttributeReader($0)) }
            }
        }
    }
}
