/// One condition: the index of its comparison, whether the answer is negated, and whether it ends a clause or a group.
struct ConditionRow: Sendable, Equatable, BitwiseCopyable {
    private static let lastOfClause: UInt32 = 1
    private static let lastOfGroup: UInt32 = 2
    private static let negated: UInt32 = 4

    private var bits: UInt32

    init(comparison: Int, isNegated: Bool) {
        bits = UInt32(truncatingIfNeeded: comparison) &<< 3 | (isNegated ? Self.negated : 0)
    }

    /// Index of the comparison in the program.
    var comparison: Int { @inline(__always) get { Int(bits &>> 3) } }

    var isNegated: Bool { @inline(__always) get { bits & Self.negated != 0 } }

    /// Index of its answer in a table with two answers for each comparison, the plain and the negated one.
    var answer: Int { @inline(__always) get { Int(bits &>> 2) } }

    /// Whether the condition is the last of its clause.
    var endsClause: Bool {
        @inline(__always) get { bits & Self.lastOfClause != 0 }
        set { bits = newValue ? bits | Self.lastOfClause : bits & ~Self.lastOfClause }
    }

    /// Whether the condition is the last of its group.
    var endsGroup: Bool {
        @inline(__always) get { bits & Self.lastOfGroup != 0 }
        set { bits = newValue ? bits | Self.lastOfGroup : bits & ~Self.lastOfGroup }
    }
}
