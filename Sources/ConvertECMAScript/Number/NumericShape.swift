/// The JavaScript SDK's own `isNumeric` and `toNumber`, which determine whether `less` and `lessEqual` compare numbers.
///
/// A text is numeric if it is an optional `-` followed by `1234`, `1234.5`, `.5`, or digits grouped by commas as in
/// `1,234.5`. Texts with an exponent, `+`, another radix or white space are not numeric.
public enum NumericShape {
    /// Whether `value` is a finite Number, or a numeric text whose Number is finite.
    public static func isNumeric(_ value: JSValue?) -> Bool {
        switch value {
        case .integer: true
        case .number(let number): number.isFinite
        case .string(let text): text.withUTF8Bytes { numericValue(utf8: $0) } != nil
        default: false
        }
    }

    /// A Number unchanged; for any other value `parseFloat` of its text without commas.
    ///
    /// If the text before the first comma is exactly `0`, commas are read as decimal points: `0,500` is 0.5.
    public static func toNumber(_ value: JSValue?) -> Double {
        if let number = value?.numberValue { return number }
        let text = ECMAScript.toString(value)
        guard text.utf8.contains(comma) else { return ECMAScript.parseFloat(text) }
        let bytes: [UInt8]
        if text.utf8.starts(with: "0,".utf8) {
            bytes = text.utf8.map { $0 == comma ? point : $0 }
        } else {
            bytes = text.utf8.filter { $0 != comma }
        }
        return bytes.withElements { ECMAScript.parseFloat(utf8: $0) }
    }

    /// `toNumber` of a text in UTF-8, or `nil` if the text is not numeric.
    ///
    /// Allocates nothing for up to 15 digits with at most 22 of them after the point, including leading zeros.
    package static func numericValue(utf8 bytes: ByteText) -> Double? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var digits = DecimalDigits()
        var index = start
        while index < bytes.count, let digit = decimalDigit(bytes[index]) {
            digits.append(digit, afterPoint: false)
            index += 1
        }
        let leadingCount = index - start
        let isGrouped = index < bytes.count && bytes[index] == comma
        if isGrouped {
            guard (1...3).contains(leadingCount) else { return nil }
            while index < bytes.count, bytes[index] == comma {
                guard let group = group(in: bytes, after: index) else { return nil }
                digits.append(group.0, afterPoint: false)
                digits.append(group.1, afterPoint: false)
                digits.append(group.2, afterPoint: false)
                index += 4
            }
        }
        if index < bytes.count, bytes[index] == point {
            index += 1
            let fraction = index
            while index < bytes.count, let digit = decimalDigit(bytes[index]) {
                digits.append(digit, afterPoint: true)
                index += 1
            }
            guard index > fraction else { return nil }
        } else if leadingCount == 0 {
            return nil
        }
        guard index == bytes.count else { return nil }
        let magnitude = digits.value(literal: bytes)
        guard magnitude.isFinite else { return nil }
        if isGrouped, start == 0, leadingCount == 1, bytes[0] == UInt8(ascii: "0"),
            let group = group(in: bytes, after: 1)
        {
            // Read as points, the commas end the number after the first group: "0,123,456" is parseFloat("0.123.456").
            return Double(Int(group.0) * 100 + Int(group.1) * 10 + Int(group.2)) / 1000
        }
        return isNegative ? -magnitude : magnitude
    }

    private static let comma = UInt8(ascii: ",")
    private static let point = UInt8(ascii: ".")

    /// The three digits after the comma at `index`. A fourth digit is not checked, because only `,` and `.` may follow.
    private static func group(in bytes: ByteText, after index: Int) -> (UInt8, UInt8, UInt8)? {
        guard bytes.count - index > 3, let first = decimalDigit(bytes[index + 1]),
            let second = decimalDigit(bytes[index + 2]), let third = decimalDigit(bytes[index + 3])
        else { return nil }
        return (first, second, third)
    }
}
