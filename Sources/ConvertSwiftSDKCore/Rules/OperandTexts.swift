internal import ConvertECMAScript

/// The texts that a program's conditions compare with: each is kept once, and has a number where attributes' texts are
/// looked up among those that rules of their name have.
struct OperandTexts {
    /// The texts, one after the other.
    private(set) var bytes: [UInt8] = []
    /// The texts that rules of each slot name.
    private(set) var numbers = TextNumbers()
    /// Texts that operators read, without regard to slots.
    private var read = TextNumbers()

    /// The number of the lowercase of the ToString of `value` in `slot`.
    mutating func number(ofLowercase value: JSValue?, in slot: Int) -> UInt32 {
        let count = bytes.count
        let entry = numbers.entry(of: appendLowercase(of: value), in: slot, bytes)
        drop(from: count, unless: entry)
        return entry.number
    }

    /// The numbers in `slot` of what a list names: text is split at `|`, an array is not, anything else is an empty
    /// list.
    mutating func numbers(ofListed value: JSValue?, in slot: Int) -> [UInt32] {
        switch value {
        case .string, .illFormedString: numbers(ofLowercaseParts: value, in: slot)
        case .array(let elements): elements.map { number(ofLowercase: $0, in: slot) }
        default: []
        }
    }

    private mutating func numbers(ofLowercaseParts text: JSValue?, in slot: Int) -> [UInt32] {
        var found: [UInt32] = []
        let (start, count) = (bytes.count, numbers.entries.count)
        // Lowercased as a whole, because the case of what stands beside a `|` does not depend on what is beyond it.
        var rest = appendLowercase(of: text).indices
        while let separator = bytes[rest].firstIndex(of: UInt8(ascii: "|")) {
            let item = TableRange(start: rest.lowerBound, count: separator - rest.lowerBound)
            found.append(numbers.entry(of: item, in: slot, bytes).number)
            rest = separator + 1..<rest.upperBound
        }
        let item = TableRange(start: rest.lowerBound, count: rest.count)
        found.append(numbers.entry(of: item, in: slot, bytes).number)
        if numbers.entries.count == count { bytes.removeLast(bytes.count - start) }
        return found
    }

    /// Where the lowercase of the ToString of `value` is.
    mutating func lowercase(of value: JSValue?) -> TableRange {
        let count = bytes.count
        let entry = read.entry(of: appendLowercase(of: value), in: 0, bytes)
        drop(from: count, unless: entry)
        return entry.text
    }

    /// Where the ToString of `value` is as it is written, and its number among all that are read.
    mutating func spelling(of value: JSValue?) -> TextNumbers.Entry {
        let count = bytes.count
        ECMAScript.withText(of: value) { bytes.append(contentsOf: $0) }
        return entry(ofTextFrom: count)
    }

    /// Where `text` is with each surrogate apart.
    mutating func separated(_ text: IllFormedText) -> TableRange {
        let count = bytes.count
        text.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: ECMAScript.separatingSurrogates($0)) }
        return entry(ofTextFrom: count).text
    }

    private mutating func entry(ofTextFrom count: Int) -> TextNumbers.Entry {
        let entry = read.entry(of: TableRange(start: count, count: bytes.count - count), in: 0, bytes)
        drop(from: count, unless: entry)
        return entry
    }

    /// Whether the text at `range` is nothing but white space.
    func isBlank(_ range: TableRange) -> Bool {
        let text = bytes[range.indices]
        // What begins with a letter or a digit, as nearly every text does, need not be decoded.
        if let first = text.first, first > 0x20, first < 0x80 { return false }
        return String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy(ECMAScript.isWhiteSpace)
    }

    private mutating func appendLowercase(of value: JSValue?) -> TableRange {
        let start = bytes.count
        ECMAScript.withText(of: value) { ECMAScript.appendLowerCase(utf8: $0, to: &bytes) }
        return TableRange(start: start, count: bytes.count - start)
    }

    /// Drops the text that begins at `start`, if an earlier one is the same.
    private mutating func drop(from start: Int, unless entry: TextNumbers.Entry) {
        if entry.text.start != start { bytes.removeLast(bytes.count - start) }
    }
}
