internal import ConvertECMAScript

/// The texts of rules' values, each kept once, and their numbers: the texts that rules of one slot compare for equality are
/// counted from 1 on. Any other text has the number 0.
///
/// So an attribute's text is looked up once, and then compared with any number of texts as an integer.
struct InternedTexts {
    /// The texts, one after the other.
    private(set) var bytes: [UInt8] = []
    /// For each slot its texts, by their numbers less 1.
    private(set) var slots: [[TableRange]] = []
    private var ranges: [[UInt8]: TableRange] = [:]
    private var numbers: [Numbered: UInt32] = [:]

    private struct Numbered: Hashable {
        let slot: Int
        let start: Int
        let count: Int
    }

    /// The number of the text at `range`, one of these, in `slot`.
    mutating func number(of range: TableRange, in slot: Int) -> UInt32 {
        let text = Numbered(slot: slot, start: range.start, count: range.count)
        if let number = numbers[text] { return number }
        while slots.count <= slot { slots.append([]) }
        slots[slot].append(range)
        let number = UInt32(truncatingIfNeeded: slots[slot].count)
        numbers[text] = number
        return number
    }

    /// The numbers in `slot` of what a list names: text is split at `|`, an array is not, anything else is an empty list.
    mutating func numbers(ofListed value: JSValue?, in slot: Int) -> [UInt32] {
        switch value {
        case .string, .illFormedString:
            // Lowercased as a whole, because the case of what stands beside a `|` does not depend on what is beyond it.
            Self.lowercase(of: value).split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
                number(of: range(of: Array($0)), in: slot)
            }
        case .array(let elements): elements.map { number(of: lowercase(of: $0), in: slot) }
        default: []
        }
    }

    /// Where the lowercase of the ToString of `value` is.
    mutating func lowercase(of value: JSValue?) -> TableRange { range(of: Self.lowercase(of: value)) }

    /// Where the ToString of `value` is as it is written.
    mutating func spelling(of value: JSValue?) -> TableRange {
        range(of: ECMAScript.withText(of: value) { Array($0) })
    }

    /// Where `text` is with each surrogate apart.
    mutating func separated(_ text: IllFormedText) -> TableRange {
        range(of: text.bytes.withUnsafeBufferPointer { ECMAScript.separatingSurrogates($0) })
    }

    /// Whether the text at `range` is nothing but white space.
    func isBlank(_ range: TableRange) -> Bool {
        bytes[range.indices].withUnsafeBufferPointer { ECMAScript.isWhiteSpaceOnly(utf8: $0) }
    }

    private mutating func range(of text: [UInt8]) -> TableRange {
        if let range = ranges[text] { return range }
        let range = TableRange(start: bytes.count, count: text.count)
        bytes += text
        ranges[text] = range
        return range
    }

    private static func lowercase(of value: JSValue?) -> [UInt8] {
        var lowercase: [UInt8] = []
        ECMAScript.withText(of: value) { ECMAScript.appendLowerCase(utf8: $0, to: &lowercase) }
        return lowercase
    }
}
