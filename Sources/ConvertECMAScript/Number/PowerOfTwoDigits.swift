/// Collects the digits of a hexadecimal, octal or binary literal, and computes the correctly rounded Number.
struct PowerOfTwoDigits {
    private let bitsPerDigit: Int
    private var significand: UInt64 = 0
    private var droppedBits = 0
    private var droppedAnySetBit = false

    /// Creates a number without digits. Each digit will have `bitsPerDigit` bits, at most 4.
    init(bitsPerDigit: Int) { self.bitsPerDigit = bitsPerDigit }

    /// Appends the digit `byte`, and returns whether `byte` is a valid digit.
    mutating func append(_ byte: UInt8) -> Bool {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
        default: return false
        }
        guard digit < 1 << UInt8(bitsPerDigit) else { return false }
        if significand.leadingZeroBitCount >= bitsPerDigit {
            significand = significand << UInt64(bitsPerDigit) | UInt64(digit)
        } else {
            droppedBits += bitsPerDigit
            if digit != 0 { droppedAnySetBit = true }
        }
        return true
    }

    /// The Number nearest to the digits, ties to even; infinite if it is too large for a Number.
    var value: Double {
        // Bits are dropped only if more than 60 bits are held. The lowest held bit is far below the rounding position,
        // so it can represent all dropped bits.
        let leading = Double(droppedAnySetBit ? significand | 1 : significand)
        return Double(sign: .plus, exponent: min(droppedBits, 2000), significand: leading)
    }
}
