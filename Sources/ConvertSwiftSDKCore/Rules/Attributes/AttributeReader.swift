internal import ConvertECMAScript

/// What one evaluation reads: a program and attributes, lent as long as it runs.
///
/// Conditions are compared millions of times a second (workload W2). Pointers spare them the reference counts that arrays and texts
/// would cost per condition, at which threads that share a project would also wait for each other.
///
/// Invariants: a pointer here, or in a ``ByteText``, lives only inside the ``RuleProgram/lend(_:to:)`` call that lent it, and
/// nobody stores one; that call holds the program and the attributes until it returns, and only
/// ``LentAttributes/resolve(_:by:)`` changes anything meanwhile, with no ``ByteText`` at hand; the program's own indices and
/// ranges lie within its tables, as ``RuleProgramBuilder`` made them, so only slots and texts, which come from two sides, are
/// checked, the texts of attributes against the room for them: only ``AttributeStorage/append(_:)-(String)`` makes their
/// ranges, and only of bytes that are there.
struct AttributeReader {
    private let tables: UnsafePointer<RuleTables>
    private let lent: UnsafeMutablePointer<LentAttributes>

    @inline(__always)
    fileprivate init(_ tables: UnsafePointer<RuleTables>, _ lent: UnsafeMutablePointer<LentAttributes>) {
        self.tables = tables
        self.lent = lent
    }

    var rules: RuleTables {
        @inline(__always) _read { yield tables.pointee }
    }

    var attributes: LentAttributes {
        @inline(__always) _read { yield lent.pointee }
    }

    @inline(__always)
    func text(of attribute: Attribute) -> ByteText { ByteText(attributes.pool, attribute.text) }

    @inline(__always)
    func lowercase(_ attribute: Attribute) -> ByteText { ByteText(attributes.pool, attribute.lowercase) }

    /// The text of the rule's side.
    @inline(__always)
    func text(_ row: ComparisonRow) -> ByteText { ByteText(rules.texts.elements, row.range) }
}

extension AttributeReader: TruthSource {
    @inline(__always)
    func truth(of comparison: Int, at condition: Int) -> Truth {
        let known = lent.pointee[truth: comparison]
        return known.isKnown ? known : find(comparison)
    }

    @inline(never)
    private func find(_ comparison: Int) -> Truth {
        let slot = Int(rules.comparisons[comparison].slot)
        resolveIfNeeded(slot)
        let truth = Comparisons.truth(of: comparison, on: slot, self)
        remember(truth, of: comparison)
        return truth
    }

    @inline(__always)
    func resolveIfNeeded(_ slot: Int) {
        if attributes.slots[slot].kind == .unresolved { lent.pointee.resolve(slot, by: tables) }
    }

    @inline(__always)
    func remember(_ truth: Truth, of comparison: Int) { lent.pointee[truth: comparison] = truth }

    /// Remembers the verdict of rule set `index`.
    @inline(__always)
    func remember(_ verdict: RuleVerdict, at index: Int) { lent.pointee.remember(verdict, at: index) }
}

extension RuleProgram {
    /// Lends the program, `attributes` and what is left for patterns to `body`.
    @inline(__always)
    func lend<Result>(
        _ attributes: inout Attributes, _ patterns: inout PatternBudget, to body: (AttributeReader) -> Result
    ) -> Result {
        withExtendedLifetime(self) {
            withUnsafeMutablePointer(to: &patterns) { patterns in
                attributes.lend(patterns) { body(AttributeReader(tables, $0)) }
            }
        }
    }
}

/// Attributes for one evaluation, which may resolve them on first use.
struct LentAttributes {
    private(set) var slots: UnsafeBufferPointer<Attribute>
    /// Room for texts of attributes; the first of them are there.
    private(set) var pool: UnsafeBufferPointer<UInt8>
    private(set) var truths: UnsafeMutableBufferPointer<Truth>
    /// The storage, of which nothing here counts a reference, and where its owner has it.
    private var storage: Unmanaged<AttributeStorage>
    private let place: UnsafeMutablePointer<AttributeStorage>
    /// What is left for patterns.
    let patterns: UnsafeMutablePointer<PatternBudget>

    @inline(__always)
    init(_ place: UnsafeMutablePointer<AttributeStorage>, _ patterns: UnsafeMutablePointer<PatternBudget>) {
        self.place = place
        self.patterns = patterns
        storage = .passUnretained(place.pointee)
        (slots, truths, pool) = storage._withUnsafeGuaranteedRef { $0.parts }
    }

    /// What is remembered of a comparison. Of those beyond ``Attributes/keptTruths`` nothing is.
    subscript(truth comparison: Int) -> Truth {
        @inline(__always) get {
            comparison < truths.count ? truths[comparison] : .unknown
        }
        @inline(__always) nonmutating set {
            if comparison < truths.count { truths[comparison] = newValue }
        }
    }

    @inline(__always)
    fileprivate func remember(_ verdict: RuleVerdict, at index: Int) {
        storage._withUnsafeGuaranteedRef { $0[verdict: index] = verdict.rawValue &+ 1 }
    }

    fileprivate mutating func resolve(_ slot: Int, by tables: UnsafePointer<RuleTables>) {
        if !storage._withUnsafeGuaranteedRef({ $0.resolve(slot, by: tables) }) {
            resolveInMoreRoom(slot, by: tables)
        }
    }

    @inline(never)
    private mutating func resolveInMoreRoom(_ slot: Int, by tables: UnsafePointer<RuleTables>) {
        var room = 0
        repeat {
            place.pointee = place.pointee.copyWithMoreRoom(&room)
        } while !place.pointee.resolve(slot, by: tables)
        self = LentAttributes(place, patterns)
    }

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined.
    func value(in slot: Int) -> JSValue? {
        guard slot >= 0, slot < slots.count else { return nil }
        switch slots[slot].kind {
        case .unresolved, .absent, .undefined: return nil
        default: return place.pointee.source.members[Int(slots[slot].member)].value
        }
    }
}

extension AttributeStorage {
    /// The slots, the truths, and the room for texts.
    fileprivate var parts:
        (UnsafeBufferPointer<Attribute>, UnsafeMutableBufferPointer<Truth>, UnsafeBufferPointer<UInt8>)
    {
        @inline(__always)
        get {
            withContents { header, contents in
                (
                    UnsafeBufferPointer(start: contents.slots, count: header.pointee.slotCount),
                    UnsafeMutableBufferPointer(start: contents.truths, count: header.pointee.truthCount),
                    UnsafeBufferPointer(start: contents.pool, count: header.pointee.poolCapacity)
                )
            }
        }
    }
}
