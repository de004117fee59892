/// Collects the digits of a decimal literal, and computes the correctly rounded Number.
///
/// The value is `significand` × 10^`exponent` if at most `significandLimit` significant digits were read. Otherwise
/// `significand` has only the leading digits.
struct DecimalDigits {
    private var significand: UInt64 = 0
    private var exponent = 0

    /// Number of digits read, without leading zeros.
    private var significantCount = 0

    /// This many digits always fit 64 bits.
    private static let significandLimit = 19

    /// A number halfway between two doubles has at most 767 significant digits. Beyond this limit, it therefore only
    /// matters whether any digit is not zero.
    static let roundingLimit = 800

    /// Powers of ten that a double represents exactly.
    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    init() {}

    /// Appends a digit, 0 to 9.
    @inline(__always)
    mutating func append(_ digit: UInt8, afterPoint: Bool) {
        if afterPoint { exponent -= 1 }
        if digit == 0 && significantCount == 0 { return }
        significantCount += 1
        if significantCount <= Self.significandLimit {
            significand = significand &* 10 &+ UInt64(digit)
        } else {
            exponent += 1
        }
    }

    /// The Number nearest to the digits times 10^`scale`, ties to even; infinite if it is too large for a Number.
    ///
    /// `literal` is the text from which the digits were read. It may contain a sign, a point and commas, which are
    /// skipped, but no exponent.
    func value(scale: Int = 0, literal: ByteText) -> Double {
        if significantCount == 0 { return 0 }
        let power = exponent + scale
        if significantCount <= Self.significandLimit {
            if power == 0 { return Double(significand) }
            if let value = Self.exact(significand, power: power) { return value }
        }
        // The value is between 10^(magnitude - 1) and 10^magnitude. The smallest and the largest double are 5e-324 and
        // 1.8e308.
        let magnitude = power + min(significantCount, Self.significandLimit)
        if magnitude > 310 { return .infinity }
        if magnitude < -330 { return 0 }
        return roundedValue(power: power, literal: literal)
    }

    /// `significand` times 10^`power` if both are exact as doubles, so that the single operation rounds correctly;
    /// otherwise `nil`.
    static func exact(_ significand: UInt64, power: Int) -> Double? {
        guard significand <= 1 << 53, abs(power) < exactPowers.count else { return nil }
        let factor = exactPowers[abs(power)]
        return power < 0 ? Double(significand) / factor : Double(significand) * factor
    }

    private func roundedValue(power: Int, literal: ByteText) -> Double {
        if significantCount <= Self.significandLimit { return Double("\(significand)e\(power)") ?? .nan }
        var digits: [UInt8] = []
        digits.reserveCapacity(min(significantCount, Self.roundingLimit + 1) + 8)
        for byte in literal {
            guard let digit = decimalDigit(byte), digit != 0 || !digits.isEmpty else { continue }
            if digits.count < Self.roundingLimit {
                digits.append(byte)
            } else if digit != 0 {
                digits.append(UInt8(ascii: "1"))
                break
            }
        }
        let digitsPower = power - (digits.count - Self.significandLimit)
        return Double(String(decoding: digits, as: UTF8.self) + "e\(digitsPower)") ?? .nan
    }
}

/// The value of an ASCII digit, or `nil` if `byte` is not a digit.
@inline(__always)
func decimalDigit(_ byte: UInt8) -> UInt8? {
    let digit = byte &- UInt8(ascii: "0")
    return digit <= 9 ? digit : nil
}
