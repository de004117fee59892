internal import ConvertECMAScript

/// One comparison with its operator resolved and its operand prepared. Conditions that ask for the same share it.
struct ComparisonRow: Sendable, BitwiseCopyable {
    // Trivial, so that reading one counts no references, and small, since a decision reads hundreds.

    /// What is compared, by the shape of the rule's value.
    enum Kind: UInt8, Sendable, CaseIterable {
        /// A defect: never holds, negated or not.
        case never
        /// A `null`: the reference throws.
        case null
        case exists, doesNotExist, notExists
        /// `operand` is the matcher, ``range`` its operands.
        case mobile
        /// `operand` is the number of the rule's text in the slot.
        case textEquals
        /// The rule's value has no text, so that only an array can have it for an element.
        case textlessEquals
        /// ``bits`` has the bit of each text in the list, by its number.
        case textIn
        /// ``range`` are the numbers of the texts in the list, ascending.
        case textInMany
        /// ``range`` is the rule's text in lowercase, `operand` its ``TextPairs``.
        case contains
        /// ``range`` is the rule's text in lowercase, which is not empty, `operand` its first four bytes.
        case startsWith
        /// ``range`` is the rule's text in lowercase.
        case endsWith
        /// ``range`` is the rule's text in lowercase, which has a lone surrogate, with each surrogate apart.
        case containsUnits, startsWithUnits, endsWithUnits
        /// Holds for every text: each of them contains what is blank, and begins and ends with an empty text.
        case anyText
        /// `operand` is the index of the pattern.
        case matchesPattern
        /// A pattern that is none, which no text matches: where that is negated as any other miss.
        case matchesNothing
        /// ``number`` is the rule's.
        case lessThanNumber, atMostNumber
        /// ``range`` is the rule's text, which counts as no number.
        case lessThanText, atMostText
        /// The rule's value is neither number nor text.
        case lessThanOther, atMostOther

        /// Whether the attribute's text, number or members are compared, rather than whether it is there.
        var readsText: Bool { @inline(__always) get { rawValue > Kind.mobile.rawValue } }
    }

    let kind: Kind
    /// Kind of the rule's value.
    var valueKind = AttributeKind.undefined
    /// The attribute's slot.
    var slot: UInt32 = 0
    var operand: UInt32 = 0
    /// Index of a condition that asks for it, for values of rare shapes and for warnings.
    var condition: UInt32 = 0
    var bits: UInt64 = 0

    /// A range of one of the program's tables.
    var range: TableRange {
        @inline(__always) get { TableRange(start: Int(bits &>> 32), count: Int(bits & 0xFFFF_FFFF)) }
        set { bits = UInt64(newValue.start) &<< 32 | UInt64(newValue.count) }
    }

    /// Whether the list of few texts has the one with this number.
    @inline(__always)
    func listsText(_ number: UInt32) -> Bool { number < 64 && bits &>> UInt64(number) & 1 != 0 }

    /// Whether a text whose first bytes these are could begin with the one at ``range``.
    @inline(__always)
    func mayBegin(_ beginning: UInt32) -> Bool {
        let compared = min(4, UInt32(truncatingIfNeeded: range.count))
        return (beginning ^ operand) &<< (32 &- 8 &* compared) == 0
    }

    /// The rule's number.
    var number: Double {
        @inline(__always) get { Double(bitPattern: bits) }
        set { bits = newValue.bitPattern }
    }

    /// What rows that answer alike have in common: everything but the condition.
    struct Identity: Hashable {
        fileprivate let kind: Kind
        fileprivate let valueKind: AttributeKind
        fileprivate let slot: UInt32
        fileprivate let operand: UInt32
        fileprivate let bits: UInt64
    }

    var identity: Identity { Identity(kind: kind, valueKind: valueKind, slot: slot, operand: operand, bits: bits) }
}
