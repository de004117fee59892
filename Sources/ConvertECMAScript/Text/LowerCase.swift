extension ECMAScript {
    /// `text` in lower case, like `String.prototype.toLowerCase` (ECMA-262 §22.1.3.28): without a locale, with the
    /// mappings of SpecialCasing.txt. `İ` becomes `i̇`, and `Σ` becomes `ς` at the end of a word and `σ` elsewhere.
    ///
    /// A text of ASCII without capital letters is returned unchanged.
    public static func toLowerCase(_ text: String) -> String {
        text.withUTF8Bytes { bytes in
            var all: UInt8 = 0
            var hasUpperCase = false
            for byte in bytes {
                all |= byte
                if isUpperCase(byte) { hasUpperCase = true }
            }
            if all < 0x80 {
                if !hasUpperCase { return text }
                return String(capacity: bytes.count, bytes.lazy.map(lowerCase))
            }
            var lower: [UInt8] = []
            lower.reserveCapacity(bytes.count + bytes.count / 8)
            appendLowerCase(utf8: bytes, to: &lower)
            return String(decoding: lower, as: UTF8.self)
        }
    }

    /// Appends ``toLowerCase(_:)`` of the UTF-8 text `bytes` to `lower`. The earlier contents of `lower` do not affect
    /// whether a `Σ` is final. Lone surrogates are kept, as three bytes each.
    package static func appendLowerCase(utf8 bytes: ByteText, to lower: inout [UInt8]) {
        if lower.appendLowerCaseASCII(of: bytes) { return }
        var index = bytes.firstIndex { $0 >= 0x80 } ?? bytes.count
        lower.removeLast(bytes.count - index)
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                lower.append(lowerCase(byte))
                index += 1
                continue
            }
            let (scalar, length) = bytes.scalar(at: index)
            switch scalar {
            case 0x130:
                lower.append(UInt8(ascii: "i"))
                appendUTF8(of: 0x307, to: &lower)
            case 0x3A3:
                appendUTF8(of: isFinalSigma(in: bytes, at: index) ? 0x3C2 : 0x3C3, to: &lower)
            default:
                let mapped = simpleLowerCase(scalar)
                if mapped == scalar {
                    for offset in 0..<length { lower.append(bytes[index + offset]) }
                } else {
                    appendUTF8(of: mapped, to: &lower)
                }
            }
            index += length
        }
    }

    @inline(__always)
    static func isUpperCase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    @inline(__always)
    static func lowerCase(_ byte: UInt8) -> UInt8 { isUpperCase(byte) ? byte | 0x20 : byte }

    /// The lower case of a scalar, if it is a single scalar and independent of the context; otherwise the scalar
    /// itself.
    private static func simpleLowerCase(_ scalar: UInt32) -> UInt32 {
        let table = UnicodeTables.lowerCaseMappings
        guard let run = lastEntry(of: 4, in: table, notAbove: scalar), scalar <= table[run + 1],
            (scalar - table[run]) % table[run + 2] == 0
        else { return scalar }
        return scalar &+ table[run + 3]
    }

    /// The scalars whose lower case is a different single scalar, independent of the context: all scalars that change,
    /// except `İ` and `Σ`.
    package static let lowerCaseMappings: [(scalar: UInt32, lower: UInt32)] = {
        let table = UnicodeTables.lowerCaseMappings
        var mappings: [(scalar: UInt32, lower: UInt32)] = []
        for run in stride(from: 0, to: table.count, by: 4) {
            for scalar in stride(from: table[run], through: table[run + 1], by: Int(table[run + 2])) {
                let lower: UInt32 = scalar &+ table[run + 3]
                if scalar != 0x130, scalar != 0x3A3, scalar != lower { mappings.append((scalar, lower)) }
            }
        }
        return mappings
    }()

    /// Whether the Σ at `index` ends a word (Final_Sigma in SpecialCasing.txt): the nearest scalar before it that is
    /// not Case_Ignorable is Cased, and the nearest such scalar after it is not.
    ///
    /// A scalar that is both Case_Ignorable and Cased is skipped, as in ICU.
    ///
    /// No scalar is read more than twice in a text, because each search ends at the next Σ at the latest.
    private static func isFinalSigma(in bytes: ByteText, at index: Int) -> Bool {
        var before = index
        while before > 0 {
            let (scalar, length) = bytes.scalar(before: before)
            before -= length
            if contains(scalar, in: UnicodeTables.caseIgnorable) { continue }
            guard contains(scalar, in: UnicodeTables.cased) else { return false }
            var after = index + 2
            while after < bytes.count {
                let (scalar, length) = bytes.scalar(at: after)
                after += length
                if contains(scalar, in: UnicodeTables.caseIgnorable) { continue }
                return !contains(scalar, in: UnicodeTables.cased)
            }
            return true
        }
        return false
    }

    private static func contains(_ scalar: UInt32, in ranges: ConstantTable<UInt32>) -> Bool {
        guard let range = lastEntry(of: 2, in: ranges, notAbove: scalar) else { return false }
        return scalar <= ranges[range + 1]
    }

    /// Index of the last entry, of `width` words, whose first word is at most `scalar`.
    private static func lastEntry(
        of width: Int, in table: ConstantTable<UInt32>, notAbove scalar: UInt32
    ) -> Int? {
        let behind = (0..<table.count / width).partitioningIndex { table[$0 * width] > scalar }
        return behind == 0 ? nil : (behind - 1) * width
    }

    /// Appends the UTF-8 of `scalar`, or the three bytes of a surrogate.
    static func appendUTF8(of scalar: UInt32, to lower: inout [UInt8]) {
        // Written by hand, because UTF8.encode creates a collection for every scalar, which takes a fifth of the time
        // for a Cyrillic text.
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80) }
        switch scalar {
        case ..<0x80:
            lower.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            lower.append(UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0))
            lower.append(continuation(0))
        case ..<0x10000:
            lower.append(UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0))
            lower.append(continuation(6))
            lower.append(continuation(0))
        default:
            lower.append(UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0))
            lower.append(continuation(12))
            lower.append(continuation(6))
            lower.append(continuation(0))
        }
    }
}
