/// An escape sequence of a JSON string. Two `\u` escapes that form a surrogate pair count as one sequence.
struct JSONEscape: BitwiseCopyable {
    /// The code point; for a lone surrogate, the surrogate itself.
    let value: UInt32
    /// Index after the sequence.
    let end: Int

    var isLoneSurrogate: Bool { value & 0xffff_f800 == 0xd800 }

    /// Scans the escape sequence whose backslash is at `index`.
    static func scan(_ source: borrowing PaddedBytes, at index: Int) throws(JSONFailure) -> JSONEscape {
        let value: UInt32
        switch source[index + 1] {
        case UInt8(ascii: "\""): value = 0x22
        case UInt8(ascii: "\\"): value = 0x5c
        case UInt8(ascii: "/"): value = 0x2f
        case UInt8(ascii: "b"): value = 0x08
        case UInt8(ascii: "f"): value = 0x0c
        case UInt8(ascii: "n"): value = 0x0a
        case UInt8(ascii: "r"): value = 0x0d
        case UInt8(ascii: "t"): value = 0x09
        case UInt8(ascii: "u"): return try scanUnit(source, at: index)
        default: throw JSONFailure(reason: .escape, offset: index + 1)
        }
        return JSONEscape(value: value, end: index + 2)
    }

    private static func scanUnit(_ source: borrowing PaddedBytes, at index: Int) throws(JSONFailure) -> JSONEscape {
        let unit = try unit(source, at: index + 2)
        let next = index + 6
        if unit & 0xfc00 == 0xd800, source[next] == UInt8(ascii: "\\"), source[next + 1] == UInt8(ascii: "u") {
            let low = try self.unit(source, at: next + 2)
            if low & 0xfc00 == 0xdc00 {
                return JSONEscape(value: 0x10000 + (unit & 0x3ff) << 10 + (low & 0x3ff), end: next + 6)
            }
        }
        return JSONEscape(value: unit, end: next)
    }

    /// The code unit of the four hexadecimal digits at `index`.
    private static func unit(_ source: borrowing PaddedBytes, at index: Int) throws(JSONFailure) -> UInt32 {
        var unit: UInt32 = 0
        for place in index..<index + 4 {
            let byte = source[place]
            let letter = (byte | 0x20) &- UInt8(ascii: "a")
            guard let digit = decimalDigit(byte) ?? (letter < 6 ? letter + 10 : nil) else {
                throw JSONFailure(reason: .hexDigits, offset: place)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The JSON escape of a code unit in ASCII, such as `\ud83d`.
    static func spelling(of unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Writes the code point in UTF-8 to `source` at `index`, and returns the index after it.
    func write(to source: borrowing PaddedBytes, at index: Int) -> Int {
        func trail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(value >> shift & 0x3f) }
        switch value {
        case ..<0x80:
            source[index] = UInt8(value)
            return index + 1
        case ..<0x800:
            source[index] = 0xc0 | UInt8(value >> 6)
            source[index + 1] = trail(0)
            return index + 2
        case ..<0x10000:
            source[index] = 0xe0 | UInt8(value >> 12)
            source[index + 1] = trail(6)
            source[index + 2] = trail(0)
            return index + 3
        default:
            source[index] = 0xf0 | UInt8(value >> 18)
            source[index + 1] = trail(12)
            source[index + 2] = trail(6)
            source[index + 3] = trail(0)
            return index + 4
        }
    }
}
