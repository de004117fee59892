/// One condition: the number of the comparison that it asks for, whether the answer is negated, and what ends with it.
struct ConditionRow: Sendable, Equatable, BitwiseCopyable {
    private static let lastOfClause: UInt32 = 1
    private static let lastOfGroup: UInt32 = 2
    private static let negated: UInt32 = 4

    private var bits: UInt32

    init(comparison: Int, isNegated: Bool) {
        bits = UInt32(truncatingIfNeeded: comparison) &<< 3 | (isNegated ? Self.negated : 0)
    }

    /// Index among the program's comparisons.
    var comparison: Int { @inline(__always) get { Int(bits &>> 3) } }

    var isNegated: Bool { @inline(__always) get { bits & Self.negated != 0 } }

    /// Index of its answer where there are two for each comparison: the plain one and the negated one.
    var answer: Int { @inline(__always) get { Int(bits &>> 2) } }

    /// Whether it is the last condition of its clause.
    var endsClause: Bool {
        @inline(__always) get { bits & Self.lastOfClause != 0 }
        set { bits = newValue ? bits | Self.lastOfClause : bits & ~Self.lastOfClause }
    }

    /// Whether it is the last condition of its group.
    var endsGroup: Bool {
        @inline(__always) get { bits & Self.lastOfGroup != 0 }
        set { bits = newValue ? bits | Self.lastOfGroup : bits & ~Self.lastOfGroup }
    }
}
