internal import ConvertECMAScript
internal import ConvertValues

/// The values of one event, in the forms that comparisons of a ``MobileProgram`` read. Each form is computed once.
struct MobileValues: ~Copyable, Sendable {
    struct Row: Sendable, BitwiseCopyable {
        var isPresent = true
        /// Whether the value has a text: it is neither an array nor an object, nor too long.
        var hasText = true
        var hasInteger = false
        var hasDouble = false
        var hasBool = false
        var flag = false
        /// Index in the strings, if the text is stored there; otherwise negative.
        var string: Int32 = -1
        /// Whether the text can be compared by its bytes.
        var isPlain = true
        /// Number of the text among the texts that rules name, plus 1; 0 if no rule names it.
        var number: UInt32 = 0
        /// Range of the lowercase text.
        var text = TableRange()
        var integer = 0
        var double = 0.0
    }

    private(set) var rows: Rows<Row>
    private(set) var bytes: Rows<UInt8>
    private(set) var strings: [String] = []

    /// Creates an empty list with capacity for `capacity` values and `textCapacity` bytes of texts.
    init(capacity: Int = 0, textCapacity: Int = 0) {
        rows = Rows(capacity: capacity)
        bytes = Rows(capacity: textCapacity)
    }

    /// The number of values.
    var count: Int { rows.count }

    /// Appends a placeholder for missing values, which no comparison reads.
    mutating func appendMissing() {
        var row = Row()
        row.isPresent = false
        rows.append(row)
    }

    mutating func append(_ value: JSValue?, _ needs: MobileNeeds, _ texts: borrowing MobileTexts) {
        var row = Row()
        row.isPresent = value != nil
        if !needs.isDisjoint(with: [.text, .string, .number]) { readText(of: value, needs, texts, into: &row) }
        if needs.contains(.integer), let integer = MobileOperand.integer(of: value) {
            row.hasInteger = true
            row.integer = integer
        }
        if needs.contains(.double), let double = MobileOperand.double(of: value) {
            row.hasDouble = true
            row.double = double
        }
        if needs.contains(.bool), let flag = MobileOperand.bool(of: value) {
            row.hasBool = true
            row.flag = flag
        }
        rows.append(row)
    }

    private mutating func readText(
        of value: JSValue?, _ needs: MobileNeeds, _ texts: borrowing MobileTexts, into row: inout Row
    ) {
        let start = bytes.count
        var string: String?
        switch value {
        case .string(let text)?: string = MobileText.appendLowercase(of: text, to: &bytes)
        default:
            guard let text = MobileOperand.text(of: value) else {
                row.hasText = false
                return
            }
            string = MobileText.appendLowercase(of: text, to: &bytes)
        }
        // A range cannot be longer. A longer value counts as having no text, so no comparison with texts holds.
        guard bytes.count <= Int(Int32.max) else {
            bytes.removeLast(bytes.count - start)
            row.hasText = false
            return
        }
        row.text = TableRange(start: start, count: bytes.count - start)
        row.isPlain = string == nil
        if needs.contains(.number) {
            if let number = texts.number(of: bytes.text(at: row.text), string) { row.number = number &+ 1 }
        }
        if needs.contains(.string), string == nil { string = String(decoding: bytes[row.text], as: UTF8.self) }
        if let string {
            row.string = Int32(truncatingIfNeeded: strings.count)
            strings.append(string)
        }
    }

    /// The lowercase text of a row.
    func string(of row: Row) -> String {
        row.string < 0 ? String(decoding: bytes[row.text], as: UTF8.self) : strings[Int(row.string)]
    }
}
