extension ECMAScript {
    /// Number::toString (ECMA-262 §6.1.6.1.20): the fewest digits that distinguish `number` from its neighbours, with
    /// an exponent from 10^21 and below 10^-6. Both zeros become `0`.
    public static func toString(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        // Integers of this size are exact and print all their digits, which is faster through Int.
        if abs(number) < 0x1p53, number == Double(Int(number)) { return String(Int(number)) }
        var text: [UInt8] = []
        text.reserveCapacity(32)
        if number < 0 { text.append(UInt8(ascii: "-")) }
        let (digits, n) = shortestDigits(of: abs(number))
        append(digits, pointAfter: n, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The specification's digits of s, and n: the value is 0.digits × 10^n.
    ///
    /// The standard library prints the same digits: the shortest, and among equally short digits the closest. Only its
    /// layout differs, so the digits, the point and the exponent are taken from its text.
    private static func shortestDigits(of number: Double) -> (digits: ArraySlice<UInt8>, n: Int) {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        var pointAfter: Int?
        var exponent = 0
        var exponentSign: Int?
        for byte in number.description.utf8 {
            if let digit = decimalDigit(byte) {
                if exponentSign == nil { digits.append(byte) } else { exponent = exponent * 10 + Int(digit) }
            } else if byte == UInt8(ascii: ".") {
                pointAfter = digits.count
            } else {
                exponentSign = byte == UInt8(ascii: "-") ? -1 : 1
            }
        }
        let zero = UInt8(ascii: "0")
        var significant = digits.drop { $0 == zero }
        let n = (pointAfter ?? digits.count) - significant.startIndex + exponent * (exponentSign ?? 0)
        while significant.last == zero { significant.removeLast() }
        return (significant, n)
    }

    /// Steps 6 to 12 of Number::toString; k is the number of digits.
    private static func append(_ digits: ArraySlice<UInt8>, pointAfter n: Int, to text: inout [UInt8]) {
        let zero = UInt8(ascii: "0")
        let point = UInt8(ascii: ".")
        let k = digits.count
        if n >= k && n <= 21 {
            text += digits
            text += repeatElement(zero, count: n - k)
        } else if n > 0 && n <= 21 {
            text += digits.prefix(n)
            text.append(point)
            text += digits.dropFirst(n)
        } else if n > -6 && n <= 0 {
            text.append(zero)
            text.append(point)
            text += repeatElement(zero, count: -n)
            text += digits
        } else {
            text += digits.prefix(1)
            if k > 1 { text.append(point) }
            text += digits.dropFirst()
            text += (n > 0 ? "e+" : "e-").utf8
            text += String(abs(n - 1)).utf8
        }
    }
}
