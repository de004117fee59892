internal import ConvertECMAScript

/// A position in a line of JSON, for readers of simple values: strings of ASCII without escapes, short numbers,
/// Booleans and `null`.
///
/// After the line's end it reads bytes of value 0, which no JSON contains.
struct LineCursor {
    private let line: ByteText
    private var index = 0
    /// The maximum number of digits. Integers of this length are exact in JavaScript.
    private static let digitLimit = 15

    init(_ line: ByteText) { self.line = line }

    private var byte: UInt8 { index < line.count ? line[index] : 0 }

    private mutating func skipSpace() {
        while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
    }

    /// Whether only white space follows.
    var isAtEnd: Bool {
        var rest = self
        rest.skipSpace()
        return rest.index == line.count
    }

    /// Consumes an ASCII character, with white space before it, if it comes next. Returns whether it did.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        let wanted = UInt8(truncatingIfNeeded: sign.value)
        // Lines that programs write contain no white space.
        if byte != wanted {
            skipSpace()
            guard byte == wanted else { return false }
        }
        index &+= 1
        return true
    }

    /// Consumes a string of ASCII without escapes; `nil` if something else comes next.
    mutating func takeText() -> ByteText? {
        guard take("\"") else { return nil }
        let start = index
        index = endOfPlainText(from: start)
        guard byte == UInt8(ascii: "\"") else { return nil }
        index &+= 1
        return line.slice(start..<index &- 1)
    }

    /// The place of the next byte that ends a plain text, or the end of the line.
    private func endOfPlainText(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= line.count {
            let word = line.load(at: index, as: UInt64.self)
            let special = TextWord.specialBytes(UInt64(littleEndian: word))
            if special != 0 { return index &+ special.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < line.count, TextWord.specialBytes(UInt64(line[index])) & 0x80 == 0 { index &+= 1 }
        return index
    }

    /// Consumes a simple value; `nil` if something else comes next.
    mutating func takeValue() -> JSValue? {
        skipSpace()
        switch byte {
        case UInt8(ascii: "\""): return takeText().map { .string(String(decoding: $0, as: UTF8.self)) }
        case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
        default: return takeNumber()
        }
    }

    /// Consumes a simple value, or an object or list of such values with at most `depth` levels, and returns its bytes;
    /// `nil` if something else comes next.
    mutating func skipValue(depth: Int) -> ByteText? {
        skipSpace()
        let start = index
        let isWhole =
            switch byte {
            case UInt8(ascii: "\""): takeText() != nil
            case UInt8(ascii: "{"): depth > 0 && takeObject { $1.skipValue(depth: depth - 1) != nil }
            case UInt8(ascii: "["): depth > 0 && skipElements(depth)
            default: takeValue() != nil
            }
        return isWhole ? line.slice(start..<index) : nil
    }

    /// Consumes an object as ``skipValue(depth:)`` does; `nil` if something else comes next.
    mutating func skipObject(depth: Int) -> ByteText? {
        skipSpace()
        return byte == UInt8(ascii: "{") ? skipValue(depth: depth) : nil
    }

    /// Consumes a list as ``skipValue(depth:)`` does; `nil` if something else comes next.
    mutating func skipArray(depth: Int) -> ByteText? {
        skipSpace()
        return byte == UInt8(ascii: "[") ? skipValue(depth: depth) : nil
    }

    /// Consumes `null` if it comes next. Returns whether it did.
    mutating func takeNull() -> Bool {
        skipSpace()
        return byte == UInt8(ascii: "n") && take(word: "null")
    }

    /// Consumes an object. Returns whether it has a simple form.
    ///
    /// - Parameter member: receives the name of each member and the position of its value, consumes the value, and
    ///   returns whether it could.
    @inline(__always)
    mutating func takeObject(_ member: (_ name: ByteText, _ cursor: inout LineCursor) -> Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard let name = takeText(), take(":"), member(name, &self) else { return false }
        } while take(",")
        return take("}")
    }

    private mutating func skipElements(_ depth: Int) -> Bool {
        guard take("[") else { return false }
        if take("]") { return true }
        repeat {
            guard skipValue(depth: depth - 1) != nil else { return false }
        } while take(",")
        return take("]")
    }

    private mutating func take(word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= line.count, line.slice(index..<end).hasBytes(of: word) else { return false }
        index = end
        return true
    }

    private mutating func takeNumber() -> JSValue? {
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let start = index
        var magnitude = 0
        while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), index - start < Self.digitLimit {
            magnitude = magnitude * 10 + Int(byte - UInt8(ascii: "0"))
            index += 1
        }
        let count = index - start
        // The bytes after a number are checked when the next character is read.
        guard count > 0, count == 1 || line[start] != UInt8(ascii: "0"), magnitude > 0 || !isNegative else {
            return nil
        }
        guard byte == UInt8(ascii: ".") else { return .integer(isNegative ? -magnitude : magnitude) }
        index += 1
        var divisor = 1.0
        while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), index - start <= Self.digitLimit {
            magnitude = magnitude * 10 + Int(byte - UInt8(ascii: "0"))
            divisor *= 10
            index += 1
        }
        // Dividend and divisor are exact, so the quotient is the nearest double. With a trailing zero the number may be
        // whole.
        guard divisor > 1, line[index - 1] != UInt8(ascii: "0") else { return nil }
        let number = Double(magnitude) / divisor
        return .number(isNegative ? -number : number)
    }
}

extension [UInt8] {
    /// Whether `other` contains the same bytes.
    func areSame(as other: ByteText) -> Bool { withElements { $0 == other } }
}
