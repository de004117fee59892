/// One condition: the number of the comparison that it asks for, whether the answer is negated, and what ends with it.
struct ConditionRow: Sendable, Equatable, BitwiseCopyable {
    private static let negated: UInt32 = 1
    private static let lastOfClause: UInt32 = 2
    private static let lastOfGroup: UInt32 = 4
    private static let flags: UInt32 = 7

    private var bits: UInt32

    init(comparison: Int, isNegated: Bool) {
        bits = UInt32(truncatingIfNeeded: comparison) &<< 3 | (isNegated ? Self.negated : 0)
    }

    /// Index among the program's comparisons.
    var comparison: Int {
        @inline(__always) get { Int(bits &>> 3) }
        set { bits = UInt32(truncatingIfNeeded: newValue) &<< 3 | bits & Self.flags }
    }

    /// 1 if the answer is negated, else 0.
    var negation: UInt32 { @inline(__always) get { bits & Self.negated } }

    var isNegated: Bool { @inline(__always) get { bits & Self.negated != 0 } }

    /// Whether it is the last condition of its clause.
    var endsClause: Bool {
        @inline(__always) get { bits & Self.lastOfClause != 0 }
        set { bits = newValue ? bits | Self.lastOfClause : bits & ~Self.lastOfClause }
    }

    /// Whether it is the last condition of its group. Not so the last one of a rule set in which a group or a clause has
    /// no condition at all.
    var endsGroup: Bool {
        @inline(__always) get { bits & Self.lastOfGroup != 0 }
        set { bits = newValue ? bits | Self.lastOfGroup : bits & ~Self.lastOfGroup }
    }
}
