/// The answer to one comparison, both plain and negated.
///
/// A failed comparison holds neither plain nor negated. Negation therefore only selects one of two existing answers:
/// ``RuleManager`` selects by the condition's flag, and the sweep does so for many conditions at once.
package struct Truth: Sendable, Equatable, BitwiseCopyable {
    private enum Bit {
        static let holds: UInt8 = 1
        static let negationHolds: UInt8 = 2
        static let known: UInt8 = 4
        static let abandoned: UInt8 = 8
        static let malformed: UInt8 = 16
        static let needMoreData: UInt8 = 32
        static let noDataFound: UInt8 = 64
        static let skipped: UInt8 = 128
    }

    private let bits: UInt8

    private init(_ bits: UInt8) { self.bits = bits | Bit.known }

    /// Creates the answer that the comparison holds or does not hold.
    @inline(__always)
    init(_ holds: Bool) { bits = Bit.known | (holds ? Bit.holds : Bit.negationHolds) }

    private init() { bits = 0 }

    /// Creates an answer that negation does not change.
    static func always(_ holds: Bool) -> Truth { Truth(holds ? Bit.holds | Bit.negationHolds : 0) }

    /// The comparison was not evaluated yet.
    static let unknown = Truth()
    /// No match, negated or not.
    static let neither = always(false)
    /// No match, negated or not, because the comparison took too long.
    static let abandoned = Truth(Bit.abandoned)
    /// No match in this call, because other comparisons spent the budget. It is not cached.
    static let skipped = Truth(Bit.abandoned | Bit.skipped)
    static let malformed = Truth(Bit.malformed)
    static let needMoreData = Truth(Bit.needMoreData)
    static let noDataFound = Truth(Bit.noDataFound)

    var isKnown: Bool { @inline(__always) get { bits != 0 } }

    /// Whether the comparison took too long, or was skipped because other comparisons spent the budget.
    var isAbandoned: Bool { bits & Bit.abandoned != 0 }

    /// Whether a condition with this comparison holds.
    @inline(__always)
    func holds(negated: Bool) -> Bool { bits & (negated ? Bit.negationHolds : Bit.holds) != 0 }

    /// Whether the answer is a plain yes or no.
    var isPlain: Bool { bits & ~(Bit.holds | Bit.negationHolds) == Bit.known }

    /// The verdict of an answer that ends a clause although no condition holds, or `nil`.
    var exception: RuleVerdict? {
        // All rare bits are above the common bits, so one comparison finds that there is no rare bit.
        @inline(__always) get { bits < Bit.malformed ? nil : rareException }
    }

    private var rareException: RuleVerdict? {
        switch self {
        case .malformed: .malformed
        case .needMoreData: .needMoreData
        case .noDataFound: .noDataFound
        default: nil
        }
    }

    /// The verdict of a condition with this comparison.
    func verdict(negated: Bool) -> RuleVerdict { exception ?? RuleVerdict(holds(negated: negated)) }
}
