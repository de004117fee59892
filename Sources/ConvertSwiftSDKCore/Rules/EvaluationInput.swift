internal import ConvertECMAScript

/// What one evaluation reads: a program and attributes, lent as long as it runs.
///
/// Conditions are compared millions of times a second. Pointers spare them the reference counts that arrays and texts
/// would cost per condition, at which threads that share a project would also wait for each other.
///
/// Invariants: a pointer here, or in a ``ByteText``, lives only inside the ``RuleProgram/lend(_:to:)`` or
/// ``RuleProgram/lendRules(to:)`` call that lent it, and nobody stores one; whoever calls holds the program and the
/// attributes until the call returns, and neither changes meanwhile; the program's own indices and ranges lie within its
/// arrays, as ``RuleCompiler`` made them, so only slots and texts, which come from two sides, are checked.
struct EvaluationInput {
    let rules: LentRules
    let attributes: LentAttributes

    @inline(__always)
    func text(_ attribute: ResolvedAttribute) -> ByteText { ByteText(attributes.pool, attribute.text) }

    @inline(__always)
    func lowercase(_ attribute: ResolvedAttribute) -> ByteText { ByteText(attributes.pool, attribute.lowercase) }

    @inline(__always)
    func text(_ operand: PreparedOperand) -> ByteText { ByteText(rules.pool, operand.range) }
}

/// A program, lent.
struct LentRules {
    let conditions: UnsafeBufferPointer<PreparedCondition>
    let clauseStarts: UnsafeBufferPointer<Int32>
    let groupStarts: UnsafeBufferPointer<Int32>
    /// Texts of operands.
    let pool: UnsafeBufferPointer<UInt8>
    /// Texts of list operands.
    let lists: UnsafeBufferPointer<PoolRange>
    let semantics: RuleSemantics
    fileprivate let owner: Unmanaged<RuleProgram>

    /// The program, for the rare operands that are counted.
    var program: RuleProgram { owner.takeUnretainedValue() }

    /// Indices of the clauses of group `group`.
    @inline(__always)
    func clauses(of group: Int) -> Range<Int> {
        Range(uncheckedBounds: (Int(groupStarts[group]), Int(groupStarts[group &+ 1])))
    }

    /// Indices of the conditions of clause `clause`.
    @inline(__always)
    func conditions(of clause: Int) -> Range<Int> {
        Range(uncheckedBounds: (Int(clauseStarts[clause]), Int(clauseStarts[clause &+ 1])))
    }
}

/// Attributes, lent.
struct LentAttributes {
    let slots: UnsafeBufferPointer<ResolvedAttribute>
    /// Texts of attributes.
    let pool: UnsafeBufferPointer<UInt8>
    private let owner: Unmanaged<AttributeStorage>

    init(
        slots: UnsafeBufferPointer<ResolvedAttribute>, pool: UnsafeBufferPointer<UInt8>, owner: AttributeStorage
    ) {
        self.slots = slots
        self.pool = pool
        self.owner = .passUnretained(owner)
    }

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined.
    func value(in slot: Int) -> JSValue? {
        guard slot >= 0, slot < slots.count else { return nil }
        switch slots[slot].kind {
        case .absent, .undefined: return nil
        default: return owner.takeUnretainedValue().value(in: slot)
        }
    }
}

extension RuleProgram {
    /// Lends the program and `attributes` to `body`.
    @inline(__always)
    func lend<Result>(_ attributes: ResolvedAttributes, to body: (EvaluationInput) -> Result) -> Result {
        lendRules { rules in
            attributes.lend { attributes in body(EvaluationInput(rules: rules, attributes: attributes)) }
        }
    }

    /// Lends the program to `body`.
    @inline(__always)
    func lendRules<Result>(to body: (LentRules) -> Result) -> Result {
        conditions.withUnsafeBufferPointer { conditions in
            clauseStarts.withUnsafeBufferPointer { clauseStarts in
                groupStarts.withUnsafeBufferPointer { groupStarts in
                    pool.withUnsafeBufferPointer { pool in
                        lists.withUnsafeBufferPointer { lists in
                            body(
                                LentRules(
                                    conditions: conditions, clauseStarts: clauseStarts, groupStarts: groupStarts,
                                    pool: pool, lists: lists, semantics: semantics, owner: .passUnretained(self)))
                        }
                    }
                }
            }
        }
    }
}
