internal import ConvertECMAScript
internal import ConvertValues

/// One comparison of mobile rules. Equal comparisons share one row.
struct MobileRow: Sendable, BitwiseCopyable {
    let matcher: MobileMatcher
    let slot: Int32
    /// Range in the operands; empty for a presence matcher.
    let operands: TableRange
    /// The first operand. Most comparisons have only one operand.
    let first: MobileOperandRow
}

/// An element of a mobile matcher's values, as a trivial type.
struct MobileOperandRow: Sendable, BitwiseCopyable, Equatable {
    /// The type that an event's value is converted to for the comparison.
    enum Kind: UInt64, Sendable, CaseIterable { case text, integer, double, bool }

    // A full word, so that the bytes contain no padding and can be hashed.
    private let rawKind: UInt64
    private let bits: UInt64

    private init(_ kind: Kind, _ bits: UInt64) {
        rawKind = kind.rawValue
        self.bits = bits
    }

    /// Creates a text operand from the text's number.
    init(text number: UInt32) { self.init(.text, UInt64(number)) }
    init(_ integer: Int) { self.init(.integer, UInt64(bitPattern: Int64(integer))) }
    /// Both zeros are equal.
    init(_ double: Double) { self.init(.double, double == 0 ? 0 : double.bitPattern) }
    init(_ flag: Bool) { self.init(.bool, flag ? 1 : 0) }

    @inline(__always)
    var kind: Kind {
        switch rawKind {
        case Kind.text.rawValue: .text
        case Kind.integer.rawValue: .integer
        case Kind.double.rawValue: .double
        default: .bool
        }
    }

    @inline(__always)
    var text: Int { Int(truncatingIfNeeded: bits) }

    @inline(__always)
    var integer: Int { Int(truncatingIfNeeded: Int64(bitPattern: bits)) }

    @inline(__always)
    var double: Double { Double(bitPattern: bits) }

    @inline(__always)
    var flag: Bool { bits != 0 }
}

/// The forms of a slot's value that comparisons read.
struct MobileNeeds: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt16

    /// The lowercase text.
    static let text = MobileNeeds(rawValue: 1)
    /// The lowercase text as a string, in addition to its bytes.
    static let string = MobileNeeds(rawValue: 2)
    /// The number of the lowercase text among the texts that rules name.
    static let number = MobileNeeds(rawValue: 4)
    static let integer = MobileNeeds(rawValue: 8)
    static let double = MobileNeeds(rawValue: 16)
    static let bool = MobileNeeds(rawValue: 32)
    static let all: MobileNeeds = [.text, .string, .number, .integer, .double, .bool]

    static let equalAny = MobileNeeds(rawValue: 64 | 128 | 256 | 512)

    /// The form with which values are looked up among the equalities of this kind.
    static func equal(_ kind: MobileOperandRow.Kind) -> MobileNeeds {
        MobileNeeds(rawValue: 64 &<< UInt16(kind.rawValue))
    }
}
