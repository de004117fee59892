internal import ConvertECMAScript

/// What one evaluation reads: a program and attributes, for as long as it runs.
///
/// Conditions are compared millions of times a second (workload W2). Pointers spare them the reference counts that arrays and texts
/// would cost per condition, at which threads that share a project would also wait for each other.
///
/// Invariants: a pointer here, or in a ``ByteText``, is used only inside the ``RuleProgram/lend(_:_:to:)`` call that passes
/// it, which holds the program and the attributes until it returns; only ``resolvesToScalar(_:)`` adds texts meanwhile, with
/// no ``ByteText`` at hand; the program's own indices and ranges lie within its tables, as ``RuleCompiler`` made them;
/// the attributes were made for this program, which their owner sees to.
struct AttributeReader {
    fileprivate struct Contents {
        let resolver: AttributeResolver
        // At hand, since each condition reads it.
        let comparisons: UnsafeBufferPointer<ComparisonRow>
        let budget: UnsafeMutablePointer<CallBudget>
    }

    // One pointer, so that a comparison is handed on in registers (W3).
    private let contents: UnsafePointer<Contents>

    @inline(__always)
    fileprivate init(_ contents: UnsafePointer<Contents>) { self.contents = contents }

    private var resolver: AttributeResolver { @inline(__always) get { contents.pointee.resolver } }

    var program: RuleProgram { @inline(__always) get { resolver.program } }

    var comparisons: UnsafeBufferPointer<ComparisonRow> { @inline(__always) get { contents.pointee.comparisons } }

    var attributes: AttributeTable { @inline(__always) get { resolver.attributes } }

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined, or was not read yet.
    func value(in slot: Int) -> JSValue? { resolver.value(in: slot) }

    /// What is left of the call's budget.
    var budget: UnsafeMutablePointer<CallBudget> { contents.pointee.budget }

    /// The text of an attribute, as long as none is resolved.
    @inline(__always)
    func text(at range: TableRange) -> ByteText { resolver.text(at: range) }
}

extension AttributeReader: TruthSource {
    @inline(__always) static var canMissData: Bool { false }

    /// Resolves the attribute that is compared, if that was not done yet.
    @inline(__always)
    func quickAnswer(to index: Int) -> Bool? {
        let comparison = comparison(at: index)
        if !comparison.attribute.isScalar, !resolvesToScalar(Int(comparison.row.slot)) { return nil }
        return Comparisons.quickAnswer(comparison)
    }

    /// Makes each comparison at most once, and remembers the answer.
    @inline(__always)
    func truth(of index: Int, at condition: Int) -> Truth {
        let known = attributes[truth: index]
        if known.isKnown { return known }
        let comparison = comparison(at: index)
        // Most of what takes long are searches of texts. A scalar has one, so nothing else is asked of it (W3).
        let isSearch = comparison.row.operand == .part && comparison.attribute.isScalar
        let truth = isSearch ? TextSearch.truth(comparison) : Comparisons.slowAnswer(comparison)
        attributes[truth: index] = truth
        return truth
    }

    /// The comparison at `index` of the program, with an attribute that was resolved.
    @inline(__always)
    func comparison(at index: Int) -> Comparison { Comparison(index, on: Int(comparisons[index].slot), self) }

    /// Where the attribute in `slot` lies.
    @inline(__always)
    func slot(_ slot: Int) -> UnsafePointer<Attribute> { UnsafePointer(attributes.slots + slot) }

    /// Resolves the attribute in `slot`, if that was not done yet. Returns whether it is a scalar.
    @inline(never)
    private func resolvesToScalar(_ slot: Int) -> Bool {
        if attributes.slots[slot].kind == .unresolved { resolver.resolve(slot) }
        return attributes.slots[slot].isScalar
    }

    /// Forgets what was skipped, which another call may find out. Apart, because few calls skip something.
    @inline(never)
    func forgetSkipped() { attributes.clearSkipped() }

    /// Remembers the verdict of rule set `index`.
    @inline(__always)
    func remember(_ verdict: RuleVerdict, at index: Int) { attributes[verdict: index] = verdict.rawValue &+ 1 }

    /// Remembers of each of the first `count` rule sets that it matches, if `matches` is 1 for it, or that it does not, if
    /// that is 0.
    @inline(__always)
    func rememberEach(of count: Int, _ matches: (Int) -> UInt8?) {
        let verdicts = attributes.verdicts
        for index in 0..<min(count, verdicts.count) {
            if let matches = matches(index) { verdicts[index] = RuleVerdict.notMatched.rawValue &+ matches &+ 1 }
        }
    }
}

extension RuleProgram {
    /// Passes the program, `attributes` and what is left of the call's budget to `body`.
    @inline(__always)
    func lend<Result>(
        _ attributes: inout Attributes, _ budget: inout CallBudget, to body: (AttributeReader) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &budget) { budget in
            attributes.lend(by: self) { resolver in
                let contents = AttributeReader.Contents(
                    resolver: resolver, comparisons: comparisons.elements, budget: budget)
                return withUnsafePointer(to: contents) { body(AttributeReader($0)) }
            }
        }
    }
}
