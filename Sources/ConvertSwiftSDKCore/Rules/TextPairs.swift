internal import ConvertECMAScript

/// A bit for each two neighbouring bytes of a text. A text that lacks one of another's bits does not contain it, which
/// spares most searches (W3).
enum TextPairs {
    /// In texts longer than this nearly every bit would be set.
    private static let longest = 64

    /// Whether every text could be in `text`, as far as this tells.
    static let all: UInt32 = .max

    /// The bits of a text in which others are looked for.
    static func containing(_ text: ByteText) -> UInt32 {
        text.count > longest ? all : bits(of: text.bytes)
    }

    /// The bits of `text`.
    static func bits(of text: some Collection<UInt8>) -> UInt32 {
        var bits: UInt32 = 0
        var last: UInt8?
        for byte in text {
            if let last { bits |= 1 &<< ((UInt32(last) &* 7) ^ UInt32(byte)) }
            last = byte
        }
        return bits
    }
}
