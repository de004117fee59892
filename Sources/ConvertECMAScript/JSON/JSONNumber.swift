/// The result of scanning a JSON number: its end and its value.
struct JSONNumber: BitwiseCopyable {
    /// Index after the number.
    let end: Int
    /// Whether the value is integral and fits 64 bits. If so, it is exact.
    let isInteger: Bool
    /// The bits of the integer or of the double.
    let bits: UInt64

    /// This many digits always fit a signed 64-bit integer.
    private static let exactDigits = 18

    /// Scans the number at `start`, where the source has a digit or a minus sign.
    @inline(__always)
    static func scan(_ source: borrowing PaddedBytes, from start: Int) throws(JSONFailure) -> JSONNumber {
        let isNegative = source[start] == UInt8(ascii: "-")
        let first = isNegative ? start &+ 1 : start
        var index = first
        var magnitude: Int64 = 0
        // Wraps only beyond `exactDigits`; such a number is scanned again.
        while let digit = decimalDigit(source[index]) {
            magnitude = magnitude &* 10 &+ Int64(digit)
            index &+= 1
        }
        let next = source[index]
        let count = index &- first
        // The number has no leading zero, unless it is a single digit, and no fraction or exponent follows.
        if count &- 1 < exactDigits, count > 0, count == 1 || source[first] != UInt8(ascii: "0"),
            next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e"), magnitude != 0 || !isNegative
        {
            return JSONNumber(
                end: index, isInteger: true, bits: UInt64(bitPattern: isNegative ? 0 &- magnitude : magnitude))
        }
        return try scanUnusual(source, from: start, first: first)
    }

    /// Scans a number that is not a short integer, from its start.
    @inline(never)
    private static func scanUnusual(
        _ source: borrowing PaddedBytes, from start: Int, first: Int
    ) throws(JSONFailure) -> JSONNumber {
        let isNegative = first > start
        var index = first
        var magnitude: UInt64 = 0
        var digits = 0
        var scale = 0
        func scanDigits() throws(JSONFailure) {
            let start = index
            while let digit = decimalDigit(source[index]) {
                magnitude = magnitude &* 10 &+ UInt64(digit)
                index += 1
            }
            guard index > start else { throw JSONFailure(reason: .digit, offset: index) }
            digits += index - start
        }
        try scanDigits()
        if source[first] == UInt8(ascii: "0") && digits > 1 {
            throw JSONFailure(reason: .endOfNumber, offset: first + 1)
        }
        let isIntegral = source[index] != UInt8(ascii: ".") && source[index] | 0x20 != UInt8(ascii: "e")
        var hasExponent = false
        if source[index] == UInt8(ascii: ".") {
            let point = index
            index += 1
            try scanDigits()
            scale = index - point - 1
        }
        if source[index] | 0x20 == UInt8(ascii: "e") {
            hasExponent = true
            index += 1
            if source[index] == UInt8(ascii: "+") || source[index] == UInt8(ascii: "-") { index += 1 }
            try scanDigits()
        }
        if isIntegral, let integer = integer(source, isNegative: isNegative, digits: first..<index) {
            return JSONNumber(end: index, isInteger: true, bits: UInt64(bitPattern: Int64(integer)))
        }
        let value: Double
        if !hasExponent, digits <= exactDigits, let exact = DecimalDigits.exact(magnitude, power: -scale) {
            value = isNegative ? -exact : exact
        } else {
            value = DecimalLiteral(prefixOf: source.slice(from: start, count: index - start))?.value ?? .nan
        }
        switch JSValue(value) {
        case .integer(let integer):
            return JSONNumber(end: index, isInteger: true, bits: UInt64(bitPattern: Int64(integer)))
        default:
            return JSONNumber(end: index, isInteger: false, bits: value.bitPattern)
        }
    }

    /// The integer of `digits`, or `nil` if it does not fit 64 bits or is negative zero.
    private static func integer(_ source: borrowing PaddedBytes, isNegative: Bool, digits: Range<Int>) -> Int? {
        var value = 0
        for index in digits {
            let digit = Int(source[index] - UInt8(ascii: "0"))
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, alsoOverflows) =
                isNegative
                ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflows || alsoOverflows { return nil }
            value = sum
        }
        return value == 0 && isNegative ? nil : value
    }
}
