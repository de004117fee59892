internal import ConvertECMAScript

/// A ``RuleProgram`` as bare memory, which its owner makes and frees.
///
/// ``AttributeReader`` has the reason and the invariants.
struct RuleTables {
    let conditions: UnsafeBufferPointer<PreparedCondition>
    /// For each clause the index of its first condition, then the number of conditions.
    let clauseStarts: UnsafeBufferPointer<Int32>
    /// For each group the index of its first clause, then the number of clauses.
    let groupStarts: UnsafeBufferPointer<Int32>
    /// Texts of operands.
    let pool: UnsafeBufferPointer<UInt8>
    /// Texts of list operands, sorted within each list.
    let lists: UnsafeBufferPointer<PoolRange>
    /// The attribute names that conditions read.
    let names: FrozenAttributeSlots.View
    let semantics: RuleSemantics
    private let owner: Unmanaged<RuleProgram>

    init(_ compiler: RuleProgramBuilder, names: FrozenAttributeSlots.View, owner: RuleProgram) {
        conditions = Self.memory(of: compiler.conditions)
        clauseStarts = Self.memory(of: [0] + compiler.clauseEnds)
        groupStarts = Self.memory(of: [0] + compiler.groupEnds)
        pool = Self.memory(of: compiler.pool)
        lists = Self.memory(of: compiler.lists)
        self.names = names
        semantics = compiler.semantics
        self.owner = .passUnretained(owner)
    }

    private static func memory<Element: BitwiseCopyable>(of elements: [Element]) -> UnsafeBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        return UnsafeBufferPointer(memory)
    }

    /// Frees the memory. What lies there is trivial, so there is nothing else to end.
    func free() {
        conditions.deallocate()
        clauseStarts.deallocate()
        groupStarts.deallocate()
        pool.deallocate()
        lists.deallocate()
    }

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
