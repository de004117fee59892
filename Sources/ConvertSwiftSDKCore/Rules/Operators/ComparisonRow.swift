internal import ConvertECMAScript

/// One comparison with a resolved operator and a prepared rule value. Conditions with the same comparison share it.
struct ComparisonRow: Sendable, Hashable, BitwiseCopyable {
    // Keep the type `BitwiseCopyable` and small: a decision reads hundreds of rows.

    /// The prepared form of the rule's value. It determines the meaning of ``number`` and ``bits``.
    enum Operand: UInt8, Sendable {
        /// No value: the operator only checks presence, or an invalid pattern is negated like any other mismatch.
        case none
        /// The condition has a defect, or ToString of its value throws: it never holds, negated or not.
        case never
        /// The condition is `null`: the reference throws.
        case null
        /// ``number`` is the number of the lowercase text in the slot, and ``range`` is the text itself.
        case textID
        /// ``range`` is a text of the program, to search for.
        case part
        /// ``range`` is a text of the program that is not a number.
        case text
        /// ``range`` is a text with a lone surrogate, to search for. All its surrogates are separated.
        case units
        /// A blank text, which every text contains.
        case blank
        /// ``bits`` has one bit for each text of a list, by the text's number in the slot.
        case fewTexts
        /// ``range`` contains the numbers of a list's texts, ascending.
        case manyTexts
        /// ``double`` is the number.
        case number
        /// ``number`` is the index of the pattern.
        case pattern
        /// ``range`` contains the values of a mobile matcher.
        case mobileValues
        /// The rule's original value, found through ``condition``.
        case value
    }

    let operation: Operation
    let operand: Operand
    var valueKind = AttributeKind.undefined
    /// The forms of the attribute that are read.
    let forms: AttributeForms
    var slot: UInt32 = 0
    var number: UInt32 = 0
    /// Index of a condition with this comparison, for warnings and for values that are used unprepared.
    var condition: UInt32 = 0
    var bits: UInt64 = 0

    init(_ operation: Operation, _ operand: Operand, reading forms: AttributeForms = []) {
        self.operation = operation
        self.operand = operand
        self.forms = forms
    }

    /// Creates a row whose operator is never evaluated.
    static func defect(_ operand: Operand) -> ComparisonRow { ComparisonRow(.exists, operand) }

    /// A range of one of the program's tables.
    var range: TableRange {
        @inline(__always) get { TableRange(start: Int(bits &>> 32), count: Int(bits & 0xFFFF_FFFF)) }
        set { bits = UInt64(newValue.start) &<< 32 | UInt64(newValue.count) }
    }

    var double: Double {
        @inline(__always) get { Double(bitPattern: bits) }
        set { bits = newValue.bitPattern }
    }

    /// The row with only the members that determine the answer: rows with the same identity have the same answers.
    var identity: ComparisonRow {
        var row = self
        // An original value is known only through its condition, so each such row has its own identity.
        if operand != .value { row.condition = 0 }
        return row
    }
}
