/// A StrDecimalLiteral (ECMA-262 §7.1.4.1) at the start of a text, which `parseFloat` and ToNumber read.
struct DecimalLiteral {
    /// The Number of the literal.
    let value: Double

    /// The literal's length in bytes.
    let length: Int

    /// Beyond this value, further digits of an exponent change nothing, because no text is long enough to bring the
    /// number back into range. Adding the number of digits to the exponent does not overflow.
    private static let exponentLimit = 1_000_000_000_000_000

    /// Reads the longest literal at the start of `bytes`, or returns `nil` if there is no literal.
    init?(prefixOf bytes: ByteText) {
        var index = 0
        var isNegative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        if bytes[index...].starts(with: "Infinity".utf8) {
            value = isNegative ? -.infinity : .infinity
            length = index + 8
            return
        }
        var digits = DecimalDigits()
        let start = index
        while index < bytes.count, let digit = decimalDigit(bytes[index]) {
            digits.append(digit, afterPoint: false)
            index += 1
        }
        var hasDigits = index > start
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            let point = index
            index += 1
            while index < bytes.count, let digit = decimalDigit(bytes[index]) {
                digits.append(digit, afterPoint: true)
                index += 1
            }
            hasDigits = hasDigits || index > point + 1
        }
        guard hasDigits else { return nil }
        let mantissa = bytes.slice(start..<index)
        let exponent = Self.exponent(in: bytes, at: index)
        let magnitude = digits.value(scale: exponent?.value ?? 0, literal: mantissa)
        value = isNegative ? -magnitude : magnitude
        length = exponent?.end ?? index
    }

    /// The value and the end of the ExponentPart at `start`, or `nil` if there is no exponent.
    private static func exponent(in bytes: ByteText, at start: Int) -> (value: Int, end: Int)? {
        guard start < bytes.count, bytes[start] | 0x20 == UInt8(ascii: "e") else { return nil }
        var index = start + 1
        var isNegative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        let firstDigit = index
        var value = 0
        while index < bytes.count, let digit = decimalDigit(bytes[index]) {
            if value < exponentLimit { value = value * 10 + Int(digit) }
            index += 1
        }
        guard index > firstDigit else { return nil }
        return (isNegative ? -value : value, index)
    }
}
