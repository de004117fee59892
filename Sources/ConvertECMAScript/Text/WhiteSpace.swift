extension ECMAScript {
    /// Whether `scalar` is a WhiteSpace or a LineTerminator (ECMA-262 §12.2, §12.3): what `trim` removes and `\s`
    /// matches.
    public static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    /// `text` without the white space at its start and end, as `String.prototype.trim` (ECMA-262 §22.1.3.32).
    public static func trim(_ text: String) -> String {
        text.withUTF8Bytes { bytes in
            let start = endOfWhiteSpace(in: bytes)
            if start == bytes.count { return "" }
            let end = endBeforeWhiteSpace(in: bytes)
            if start == 0 && end == bytes.count { return text }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
    }

    /// Whether a text, given as UTF-8, is empty or white space throughout.
    package static func isWhiteSpaceOnly(utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        endOfWhiteSpace(in: utf8) == utf8.count
    }

    /// Index of the first byte that is not of leading white space.
    static func endOfWhiteSpace(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var index = 0
        while index < bytes.count {
            let (value, length) = bytes.scalar(at: index)
            guard isWhiteSpace(value) else { break }
            index += length
        }
        return index
    }

    /// Index after the last byte that is not of trailing white space.
    static func endBeforeWhiteSpace(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
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
