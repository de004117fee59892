/// The answer to one comparison, plain and negated.
///
/// What fails closed holds neither plain nor negated, so negation is nothing but a choice between two answers that are
/// there already: ``RuleManager`` makes it with the condition's flag, and so does the sweep, for many conditions at once.
package struct Truth: Sendable, Equatable, BitwiseCopyable {
    private static let plain: UInt8 = 1
    private static let negation: UInt8 = 2
    private static let known: UInt8 = 4

    private let bits: UInt8

    private init(bits: UInt8) { self.bits = bits }

    /// The comparison holds, or does not.
    @inline(__always)
    init(_ holds: Bool) { bits = Self.known | (holds ? Self.plain : Self.negation) }

    /// An answer that negation does not change.
    static func always(_ holds: Bool) -> Truth { Truth(bits: holds ? known | plain | negation : known) }

    /// Nobody has compared yet.
    static let unknown = Truth(bits: 0)
    /// No match, negated or not.
    static let neither = Truth(bits: known)
    /// No match, negated or not, because finding out took too long.
    static let abandoned = Truth(bits: known | 8)
    /// The same for now: other comparisons of the call had taken too long. It is not remembered.
    static let skipped = Truth(bits: known | 8 | 128)
    /// A `null` stands in place of the condition.
    static let malformed = Truth(bits: known | 16)
    /// Rule data needs more data.
    static let needMoreData = Truth(bits: known | 32)
    /// Rule data has no data.
    static let noDataFound = Truth(bits: known | 64)

    /// Whether there is an answer.
    var isKnown: Bool { @inline(__always) get { bits != 0 } }

    /// Whether finding out would have taken too long.
    var isAbandoned: Bool { bits & 8 != 0 }

    /// Whether a condition on the comparison holds.
    @inline(__always)
    func holds(negated: Bool) -> Bool { bits & (negated ? Self.negation : Self.plain) != 0 }

    /// Whether the answer is nothing but yes or no.
    var isPlain: Bool { bits & ~(Self.plain | Self.negation) == Self.known }

    /// What ends a clause though no condition holds, or `nil`.
    var exception: RuleVerdict? {
        @inline(__always) get { bits < 16 ? nil : slowException }
    }

    private var slowException: RuleVerdict? {
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
