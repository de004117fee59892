internal import ConvertECMAScript

/// A condition with its operator resolved and its operand prepared.
struct PreparedCondition: Sendable {
    // Trivial, so that reading one counts no references, and half a cache line, since a decision walks hundreds.

    /// What happens before any comparison.
    enum Action: UInt8, Sendable {
        /// Compare.
        case compare
        /// A defect: never holds.
        case never
        /// A pattern that is none where that is negated as any other miss: holds only if the condition is negated.
        case misses
        /// A `null`: the reference throws.
        case malformed
    }

    /// The rule's side.
    var operand = PreparedOperand()
    /// The attribute's slot; -1 if the condition names none.
    var slot: Int32 = -1
    var action = Action.compare
    var operation: Operation
    var negation: Bool
    /// What an absent attribute gives, negation included; `nil` if it is compared as an empty text.
    var whenAbsent: Bool? = false
}

/// The rule's side of a comparison in the form that its operator reads.
struct PreparedOperand: Sendable {
    var number = 0.0
    /// What the operator reads, in the pool that it reads: its text, lowercased where the operator compares so, or the items
    /// of its list, or its mobile operands.
    var range = PoolRange()
    /// Index of its pattern.
    var pattern: Int32 = -1
    var kind = AttributeKind.undefined
    /// Whether it counts as a number.
    var isNumeric = false
    /// Whether it is text of nothing but white space, which every text contains.
    var isBlank = false
    /// Whether ToString throws of it.
    var isTextless = false
}

/// Where a rule set's groups lie in its program.
package struct CompiledRules: Sendable {
    private let range: PoolRange

    init(groups: Range<Int>) { range = PoolRange(start: groups.lowerBound, count: groups.count) }

    @inline(__always)
    var groups: Range<Int> { range.indices }
}

/// Every rule graph of a config, compiled: flat tables that evaluation walks without touching JSON, text or reference
/// counts. Immutable.
///
/// The tables are bare memory, which nobody writes and which is to be used only while the program lives.
package final class RuleProgram: Sendable {
    nonisolated(unsafe) let tables: UnsafePointer<RuleTables>
    let mobileOperands: [MobileOperand]
    let patterns: [RegExp]
    /// The conditions as the config has them, for rule data, for explaining and for operands of rare shapes.
    let sources: RuleSources
    private let attributes: FrozenAttributeSlots

    init(_ compiler: RuleProgramBuilder) {
        mobileOperands = compiler.mobileOperands
        patterns = compiler.patterns.compiled
        sources = compiler.sources
        attributes = FrozenAttributeSlots(compiler.attributes)
        let tables = UnsafeMutablePointer<RuleTables>.allocate(capacity: 1)
        self.tables = UnsafePointer(tables)
        tables.initialize(to: RuleTables(compiler, names: attributes.view, owner: self))
    }

    deinit {
        tables.pointee.free()
        tables.deallocate()
    }

    /// Every condition; to be used only while the program lives.
    var conditions: UnsafeBufferPointer<PreparedCondition> { tables.pointee.conditions }

    /// The attribute names that conditions read; to be used only while the program lives.
    var names: FrozenAttributeSlots.View {
        _read { yield tables.pointee.names }
    }

    package var semantics: RuleSemantics { tables.pointee.semantics }
}
