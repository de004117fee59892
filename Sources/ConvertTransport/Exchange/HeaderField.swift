/// Checks of header fields (RFC 9110, section 5).
enum HeaderField {
    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    /// Whether `name` is a token.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: tokenMarks.contains(byte)
                }
            }
    }

    /// Whether `value` has no control characters, in particular no line breaks.
    static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
    }
}
