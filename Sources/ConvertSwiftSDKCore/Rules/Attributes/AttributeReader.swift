internal import ConvertECMAScript

/// What one evaluation reads: a program and attributes, for as long as it runs.
///
/// Conditions are compared millions of times a second (workload W2). Pointers spare them the reference counts that arrays and texts
/// would cost per condition, at which threads that share a project would also wait for each other.
///
/// Invariants: a pointer here, or in a ``ByteText``, is used only inside the ``RuleProgram/lend(_:_:to:)`` call that passes
/// it, which holds the program and the attributes until it returns; only ``resolveIfNeeded(_:)`` adds texts meanwhile, with
/// no ``ByteText`` at hand; the program's own indices and ranges lie within its tables, as ``RuleCompiler`` made them;
/// the attributes were made for this program, which their owner sees to.
struct AttributeReader {
    private let resolver: AttributeResolver
    // At hand, since each condition reads it and what is behind a pointer could have changed since the last one.
    private let comparisons: UnsafeBufferPointer<ComparisonRow>
    /// What is left of the call's budget.
    let budget: UnsafeMutablePointer<CallBudget>

    @inline(__always)
    fileprivate init(_ resolver: AttributeResolver, _ budget: UnsafeMutablePointer<CallBudget>) {
        self.resolver = resolver
        comparisons = resolver.program.comparisons.elements
        self.budget = budget
    }

    var program: RuleProgram { @inline(__always) get { resolver.program } }

    var attributes: AttributeTable { @inline(__always) get { resolver.attributes } }

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined, or was not read yet.
    func value(in slot: Int) -> JSValue? { resolver.value(in: slot) }

    /// The text of an attribute, as long as none is resolved.
    @inline(__always)
    func text(at range: TableRange) -> ByteText { resolver.text(at: range) }
}

extension AttributeReader: TruthSource {
    @inline(__always) static var canMissData: Bool { false }

    @inline(__always)
    func truth(of comparison: Int, at condition: Int) -> Truth {
        let row = comparisons[comparison]
        let attribute = slot(Int(row.slot))
        if !attribute.pointee.isScalar { resolveIfNeeded(Int(row.slot)) }
        if attribute.pointee.isScalar, let holds = Comparisons.quickAnswer(row, attribute.pointee) {
            return Truth(holds)
        }
        return rememberedTruth(of: comparison)
    }

    /// Evaluates each comparison at most once and remembers the answer.
    @inline(never)
    private func rememberedTruth(of comparison: Int) -> Truth {
        let known = attributes[truth: comparison]
        if known.isKnown { return known }
        let truth = Comparisons.truth(Comparison(comparison, on: Int(comparisons[comparison].slot), self))
        attributes[truth: comparison] = truth
        return truth
    }

    /// Where the attribute in `slot` lies.
    @inline(__always)
    func slot(_ slot: Int) -> UnsafePointer<Attribute> { UnsafePointer(attributes.slots + slot) }

    @inline(__always)
    func resolveIfNeeded(_ slot: Int) {
        if attributes.slots[slot].kind == .unresolved { resolver.resolve(slot) }
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
            attributes.lend(by: self) { body(AttributeReader($0, budget)) }
        }
    }
}
