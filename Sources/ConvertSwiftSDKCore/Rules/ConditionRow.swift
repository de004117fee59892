/// One condition: the number of the comparison that it asks for, and whether the answer is negated.
struct ConditionRow: Sendable, Equatable, BitwiseCopyable {
    private let bits: UInt32

    init(comparison: Int, isNegated: Bool) {
        bits = UInt32(truncatingIfNeeded: comparison) &<< 1 | (isNegated ? 1 : 0)
    }

    /// Index among the program's comparisons.
    var comparison: Int { @inline(__always) get { Int(bits &>> 1) } }

    var isNegated: Bool { @inline(__always) get { bits & 1 != 0 } }
}
