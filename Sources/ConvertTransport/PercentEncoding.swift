/// Percent-encoding of text for URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns `text` with every byte of its UTF-8 as `%XX`, except the bytes that `isKept` accepts.
    package static func encode(_ text: String, keeping isKept: (UInt8) -> Bool = isUnreserved) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns `text` with every `%XX` replaced by its byte; `nil` if a `%` does not begin such a sequence, or if the
    /// bytes are not UTF-8.
    package static func decode(_ text: ArraySlice<UInt8>) -> String? {
        guard text.contains(UInt8(ascii: "%")) else { return String(validating: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value(of:)), let low = rest.popFirst().flatMap(value(of:)) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The value of a hexadecimal digit.
    private static func value(of digit: UInt8) -> UInt8? {
        digits.firstIndex(of: digit & 0x40 == 0 ? digit : digit & ~0x20).map { UInt8($0) }
    }

    /// Whether the byte is an unreserved character, which has the same meaning everywhere in a URL (section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~".utf8.contains(byte)
    }

    /// Whether the byte is an ASCII letter or digit.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
