extension ECMAScript {
    /// Number::toString (ECMA-262 §6.1.6.1.20): the fewest digits that tell `number` from its neighbours, with an exponent
    /// from 10^21 and below 10^-6. Both zeros are `0`.
    public static func toString(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        // Integers this small are exact and take all their digits, which the Int prints faster.
        if abs(number) < 0x1p53, number == Double(Int(number)) { return String(Int(number)) }
        var text = number < 0 ? "-" : ""
        let (digits, n) = shortestDigits(of: abs(number))
        append(digits, pointAfter: n, to: &text)
        return text
    }

    /// The specification's digits of s, and n: the value is 0.digits × 10^n.
    ///
    /// The standard library prints the same shortest digits, the closest ones where several are as short; only the
    /// layout of its text is its own, so just digits, point and exponent are taken from it.
    private static func shortestDigits(of number: Double) -> (digits: Substring, n: Int) {
        let parts = number.description.split(separator: "e", maxSplits: 1)
        let mantissa = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let integer = mantissa.first ?? ""
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let digits = integer + fraction
        let significant = digits.drop { $0 == "0" }
        let leadingZeros = digits.utf8.count - significant.utf8.count
        let trailingZeros = significant.reversed().prefix { $0 == "0" }.count
        return (significant.dropLast(trailingZeros), integer.utf8.count - leadingZeros + exponent)
    }

    /// Steps 6 to 12 of Number::toString; k is the number of digits.
    private static func append(_ digits: Substring, pointAfter n: Int, to text: inout String) {
        let k = digits.utf8.count
        if n >= k && n <= 21 {
            text += digits
            text += String(repeating: "0", count: n - k)
        } else if n > 0 && n <= 21 {
            text += digits.prefix(n)
            text += "."
            text += digits.dropFirst(n)
        } else if n > -6 && n <= 0 {
            text += "0."
            text += String(repeating: "0", count: -n)
            text += digits
        } else {
            text += digits.prefix(1)
            if k > 1 { text += "." }
            text += digits.dropFirst()
            text += n > 0 ? "e+\(n - 1)" : "e-\(1 - n)"
        }
    }
}
