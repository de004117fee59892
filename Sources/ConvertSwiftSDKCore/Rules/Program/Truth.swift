/// The answer to one comparison, plain and negated.
///
/// What fails closed holds neither plain nor negated, so negation is nothing but a choice between two answers that are
/// there already: ``RuleManager`` makes it with the condition's flag, and so does the sweep, for many conditions at once.
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

    /// The comparison holds, or does not.
    @inline(__always)
    init(_ holds: Bool) { bits = Bit.known | (holds ? Bit.holds : Bit.negationHolds) }

    private init() { bits = 0 }

    /// An answer that negation does not change.
    static func always(_ holds: Bool) -> Truth { Truth(holds ? Bit.holds | Bit.negationHolds : 0) }

    /// The comparison was not made yet.
    static let unknown = Truth()
    /// No match, negated or not.
    static let neither = always(false)
    /// No match, negated or not, because finding out took too long.
    static let abandoned = Truth(Bit.abandoned)
    /// The same for now: other comparisons of the call had taken too long. It is not remembered.
    static let skipped = Truth(Bit.abandoned | Bit.skipped)
    /// A `null` stands in place of the condition.
    static let malformed = Truth(Bit.malformed)
    /// Rule data needs more data.
    static let needMoreData = Truth(Bit.needMoreData)
    /// Rule data has no data.
    static let noDataFound = Truth(Bit.noDataFound)

    /// Whether there is an answer.
    var isKnown: Bool { @inline(__always) get { bits != 0 } }

    /// Whether finding out would have taken too long.
    var isAbandoned: Bool { bits & Bit.abandoned != 0 }

    /// Whether a condition on the comparison holds.
    @inline(__always)
    func holds(negated: Bool) -> Bool { bits & (negated ? Bit.negationHolds : Bit.holds) != 0 }

    /// Whether the answer is nothing but yes or no.
    var isPlain: Bool { bits & ~(Bit.holds | Bit.negationHolds) == Bit.known }

    /// What ends a clause though no condition holds, or `nil`.
    var exception: RuleVerdict? {
        // Compared with the lowest of the bits above the common ones, which are rare.
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

    /// What comes of a condition on the comparison.
    func verdict(negated: Bool) -> RuleVerdict { exception ?? RuleVerdict(holds(negated: negated)) }
}
