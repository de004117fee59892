/// Where a text stops being JSON that can be decoded.
package struct JSONViolation: Sendable, Equatable {
    /// Offset of the first byte that does not fit.
    package let offset: Int
    /// Whether it is nested too deep, and well-formed up to here.
    package let isTooDeep: Bool
}

extension ECMAScript {
    /// The deepest nesting that is decoded. The toolchain's decoder calls itself for each level and overflows the stack of
    /// a small thread (128 KB) from about 100 on, while configs have some twenty levels.
    package static let maximumJSONDepth = 64

    /// The first place at which `bytes` are not what `JSON.parse` accepts (ECMA-404), or are nested too deep; `nil` if there
    /// is none.
    ///
    /// The toolchain's parser takes more than the grammar allows, trailing commas for one. It takes time linear to the text,
    /// and a byte per level of nesting. Whether the bytes are UTF-8 is not looked at.
    package static func jsonViolation(
        in bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = maximumJSONDepth
    ) -> JSONViolation? {
        var scanner = JSONScanner(bytes: bytes, maximumDepth: maximumDepth)
        return scanner.scanDocument() ? nil : JSONViolation(offset: scanner.index, isTooDeep: scanner.isTooDeep)
    }
}

/// Checks the grammar and keeps nothing.
private struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    var index = 0
    var isTooDeep = false

    init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func scanDocument() -> Bool {
        // For each open array `]`, for each open object `}`.
        var closers: [UInt8] = []
        while true {
            skipWhiteSpace()
            if closers.count >= maximumDepth, current == UInt8(ascii: "[") || current == UInt8(ascii: "{") {
                isTooDeep = true
                return false
            }
            switch current {
            case UInt8(ascii: "["):
                index += 1
                skipWhiteSpace()
                if take(UInt8(ascii: "]")) { break }
                closers.append(UInt8(ascii: "]"))
                continue
            case UInt8(ascii: "{"):
                index += 1
                skipWhiteSpace()
                if take(UInt8(ascii: "}")) { break }
                closers.append(UInt8(ascii: "}"))
                guard scanName() else { return false }
                continue
            default:
                guard scanScalar() else { return false }
            }
            // A value ended: close what ends with it, up to the next value's place.
            while true {
                skipWhiteSpace()
                guard let closer = closers.last else { return index == bytes.count }
                if take(closer) {
                    closers.removeLast()
                    continue
                }
                guard take(UInt8(ascii: ",")) else { return false }
                if closer == UInt8(ascii: "}"), !scanName() { return false }
                break
            }
        }
    }

    private mutating func scanName() -> Bool {
        skipWhiteSpace()
        guard scanString() else { return false }
        skipWhiteSpace()
        return take(UInt8(ascii: ":"))
    }

    private mutating func scanScalar() -> Bool {
        switch current {
        case UInt8(ascii: "\""): scanString()
        case UInt8(ascii: "t"): take("true")
        case UInt8(ascii: "f"): take("false")
        case UInt8(ascii: "n"): take("null")
        default: scanNumber()
        }
    }

    private mutating func scanString() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"): if !scanEscape() { return false }
            default: break
            }
        }
        return false
    }

    private mutating func scanEscape() -> Bool {
        guard let byte = current else { return false }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = current, Character(Unicode.Scalar(digit)).isHexDigit else { return false }
                index += 1
            }
            return true
        default:
            return false
        }
    }

    private mutating func scanNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        // A leading zero stands alone.
        guard take(UInt8(ascii: "0")) || scanDigits() else { return false }
        if take(UInt8(ascii: ".")), !scanDigits() { return false }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            return scanDigits()
        }
        return true
    }

    private mutating func scanDigits() -> Bool {
        let start = index
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
        return index > start
    }

    private mutating func skipWhiteSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            guard bytes[index...].starts(with: word) else { return false }
            index += word.count
            return true
        }
    }
}
