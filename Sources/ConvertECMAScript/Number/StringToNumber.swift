extension ECMAScript {
    /// StringToNumber (ECMA-262 §7.1.4.1.1): the Number if all of `text` is a numeric literal, otherwise NaN.
    ///
    /// Surrounding white space is ignored, the empty text is 0, and the prefixes `0x`, `0o` and `0b` are recognized,
    /// without a sign.
    public static func stringToNumber(_ text: String) -> Double {
        text.withUTF8Bytes { bytes in
            let start = endOfWhiteSpace(in: bytes)
            if start == bytes.count { return 0 }
            let literal = bytes.slice(start..<endBeforeWhiteSpace(in: bytes))
            if let bitsPerDigit = bitsPerDigit(ofPrefixOf: literal) {
                return powerOfTwoNumber(literal.slice(2..<literal.count), bitsPerDigit: bitsPerDigit)
            }
            guard let decimal = DecimalLiteral(prefixOf: literal), decimal.length == literal.count else { return .nan }
            return decimal.value
        }
    }

    /// ToNumber (ECMA-262 §7.1.4): NaN for `undefined` (`nil`), 0 for `null`, 0 or 1 for a boolean, and
    /// ``stringToNumber(_:)`` for a text. Arrays and objects are first converted by ``toString(_:)-(JSValue?)``.
    public static func toNumber(_ value: JSValue?) -> Double {
        switch value {
        case nil: .nan
        case .null: 0
        case .bool(let flag): flag ? 1 : 0
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .string(let text): stringToNumber(text)
        case .illFormedString, .array, .object: stringToNumber(toString(value))
        }
    }

    /// The number of bits per digit, if `literal` starts with the prefix of a NonDecimalIntegerLiteral.
    private static func bitsPerDigit(ofPrefixOf literal: ByteText) -> Int? {
        guard literal.count >= 2, literal[0] == UInt8(ascii: "0") else { return nil }
        switch literal[1] {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return 4
        case UInt8(ascii: "o"), UInt8(ascii: "O"): return 3
        case UInt8(ascii: "b"), UInt8(ascii: "B"): return 1
        default: return nil
        }
    }

    private static func powerOfTwoNumber(_ bytes: ByteText, bitsPerDigit: Int) -> Double {
        if bytes.isEmpty { return .nan }
        var digits = PowerOfTwoDigits(bitsPerDigit: bitsPerDigit)
        for byte in bytes {
            guard digits.append(byte) else { return .nan }
        }
        return digits.value
    }
}
