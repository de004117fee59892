internal import ConvertECMAScript

/// Interns the texts of rules' values. Texts that rules of the same slot compare for equality have numbers from 1 on;
/// any other text has number 0.
///
/// An attribute's text is therefore looked up once, and then compared as an integer with any number of texts.
struct InternedTexts {
    /// The texts, one after the other.
    private(set) var bytes: [UInt8] = []
    /// For each slot its texts, in the order of their numbers. The first has number 1.
    private(set) var slots: [[TableRange]] = []
    private var ranges: [[UInt8]: TableRange] = [:]
    /// For each slot the numbers of its texts.
    private var numbers: [[TableRange: UInt32]] = []

    /// The number in `slot` of the interned text at `range`.
    mutating func number(of range: TableRange, in slot: Int) -> UInt32 {
        while slots.count <= slot {
            slots.append([])
            numbers.append([:])
        }
        if let number = numbers[slot][range] { return number }
        slots[slot].append(range)
        let number = UInt32(truncatingIfNeeded: slots[slot].count)
        numbers[slot][range] = number
        return number
    }

    /// The numbers in `slot` of the texts in a list: a text is split at `|`, an array is not split, and any other value
    /// is an empty list.
    mutating func numbers(ofListed value: JSValue?, in slot: Int) -> [UInt32] {
        switch value {
        case .string, .illFormedString:
            // Lowercased before splitting, because the case mapping next to a `|` does not depend on the characters
            // after it.
            Self.lowercase(of: value).split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
                number(of: range(of: Array($0)), in: slot)
            }
        case .array(let elements): elements.map { number(of: lowercase(of: $0), in: slot) }
        default: []
        }
    }

    /// The range of the lowercase of ToString of `value`.
    mutating func lowercase(of value: JSValue?) -> TableRange { range(of: Self.lowercase(of: value)) }

    /// The range of ToString of `value`, with its case.
    mutating func spelling(of value: JSValue?) -> TableRange {
        range(of: ECMAScript.withText(of: value) { Array($0) })
    }

    /// The range of `text` with separated surrogates.
    mutating func separated(_ text: IllFormedText) -> TableRange {
        range(of: text.bytes.withElements { ECMAScript.separatingSurrogates($0) })
    }

    /// Whether the text at `range` is empty or only white space.
    func isBlank(_ range: TableRange) -> Bool {
        bytes[range.indices].withElements { ECMAScript.isWhiteSpaceOnly(utf8: $0) }
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
