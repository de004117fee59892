internal import ConvertECMAScript

/// One comparison with its operator resolved and the rule's value prepared. Conditions that ask for the same share it.
struct ComparisonRow: Sendable, BitwiseCopyable {
    // Trivial, so that reading one counts no references, and small, since a decision reads hundreds.

    /// What the rule's value was made into, which says what ``number`` and ``bits`` are.
    enum Operand: UInt8, Sendable {
        /// Nothing: presence needs no value, and an invalid pattern that is negated as any other miss has none.
        case none
        /// A defect, or a value whose ToString throws: never holds, negated or not.
        case never
        /// A `null`: the reference throws.
        case null
        /// ``number`` is the number of a text's lowercase in the slot, and ``range`` the text itself.
        case textID
        /// ``range`` is a text of the program, which is looked for.
        case part
        /// ``range`` is a text of the program, which is no number.
        case text
        /// ``range`` is a text with a lone surrogate, each surrogate apart, which is looked for.
        case units
        /// Every text contains it.
        case blank
        /// ``bits`` has the bit of each text in a list, by its number in the slot.
        case fewTexts
        /// ``range`` are the numbers of the texts in a list, ascending.
        case manyTexts
        /// ``double`` is the number.
        case number
        /// ``number`` is the index of the pattern.
        case pattern
        /// ``range`` are the values of a mobile matcher.
        case mobileValues
        /// The value as the rule has it, which ``condition`` tells.
        case value
    }

    let operation: Operation
    let operand: Operand
    /// Kind of the rule's value.
    var valueKind = AttributeKind.undefined
    /// The forms of the attribute that are read.
    let forms: AttributeForms
    /// The attribute's slot.
    var slot: UInt32 = 0
    var number: UInt32 = 0
    /// Index of a condition that asks for it, for values of rare shapes and for warnings.
    var condition: UInt32 = 0
    var bits: UInt64 = 0

    init(_ operation: Operation, _ operand: Operand, reading forms: AttributeForms = []) {
        self.operation = operation
        self.operand = operand
        self.forms = forms
    }

    /// A row that no operator is asked about.
    static func defect(_ operand: Operand) -> ComparisonRow { ComparisonRow(.exists, operand) }

    /// A range of one of the program's tables.
    var range: TableRange {
        @inline(__always) get { TableRange(start: Int(bits &>> 32), count: Int(bits & 0xFFFF_FFFF)) }
        set { bits = UInt64(newValue.start) &<< 32 | UInt64(newValue.count) }
    }

    /// The rule's number.
    var double: Double {
        @inline(__always) get { Double(bitPattern: bits) }
        set { bits = newValue.bitPattern }
    }

    /// What rows that answer alike have in common: everything but the condition.
    struct Identity: Hashable {
        fileprivate let operation: Operation
        fileprivate let operand: Operand
        fileprivate let valueKind: AttributeKind
        fileprivate let slot: UInt32
        fileprivate let number: UInt32
        fileprivate let bits: UInt64
    }

    var identity: Identity {
        Identity(
            operation: operation, operand: operand, valueKind: valueKind, slot: slot, number: number,
            // The condition's value tells it from others.
            bits: operand == .value ? UInt64(condition) : bits)
    }
}
