extension ECMAScript {
    /// Whether `scalar` is a WhiteSpace or a LineTerminator (ECMA-262 §12.2, §12.3): `\s` matches it, and it may
    /// surround a number.
    public static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    /// Whether a text in UTF-8 is empty or only white space.
    package static func isWhiteSpaceOnly(utf8: ByteText) -> Bool {
        endOfWhiteSpace(in: utf8) == utf8.count
    }

    /// Index of the first byte after leading white space.
    static func endOfWhiteSpace(in bytes: ByteText) -> Int {
        var index = 0
        while index < bytes.count {
            let (value, length) = bytes.scalar(at: index)
            guard isWhiteSpace(value) else { break }
            index += length
        }
        return index
    }

    /// Index after the last byte before trailing white space.
    static func endBeforeWhiteSpace(in bytes: ByteText) -> Int {
        var index = bytes.count
        while index > 0 {
            let (value, length) = bytes.scalar(before: index)
            guard isWhiteSpace(value) else { break }
            index -= length
        }
        return index
    }

    private static func isWhiteSpace(_ value: UInt32) -> Bool {
        Unicode.Scalar(value).map(isWhiteSpace) ?? false
    }
}
