extension ECMAScript {
    /// `parseInt` without a radix (ECMA-262 §19.2.5): the Number of the digits at the start of `text`, after white
    /// space and a sign; NaN if there are no digits. Digits after `0x` are hexadecimal.
    ///
    /// The specification allows an approximation beyond 20 digits. This implementation, like V8, rounds correctly.
    public static func parseInt(_ text: String) -> Double {
        text.withUTF8Bytes { bytes in
            var index = endOfWhiteSpace(in: bytes)
            var isNegative = false
            if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
                isNegative = bytes[index] == UInt8(ascii: "-")
                index += 1
            }
            let digits = bytes.slice(index..<bytes.count)
            let isHexadecimal =
                digits.count >= 2 && digits[0] == UInt8(ascii: "0") && digits[1] | 0x20 == UInt8(ascii: "x")
            let magnitude =
                isHexadecimal ? hexadecimalPrefix(digits.slice(2..<digits.count)) : decimalPrefix(digits)
            return isNegative ? -magnitude : magnitude
        }
    }

    private static func hexadecimalPrefix(_ bytes: ByteText) -> Double {
        var digits = PowerOfTwoDigits(bitsPerDigit: 4)
        var count = 0
        while count < bytes.count, digits.append(bytes[count]) { count += 1 }
        return count == 0 ? .nan : digits.value
    }

    private static func decimalPrefix(_ bytes: ByteText) -> Double {
        var digits = DecimalDigits()
        var count = 0
        while count < bytes.count, let digit = decimalDigit(bytes[count]) {
            digits.append(digit, afterPoint: false)
            count += 1
        }
        return count == 0 ? .nan : digits.value(literal: bytes.slice(0..<count))
    }
}
