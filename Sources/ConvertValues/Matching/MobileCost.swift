package import ConvertECMAScript

/// The costs of mobile comparisons with long texts, in visits of about a nanosecond each.
@usableFromInline
package enum MobileCost {
    /// The cost of each byte that is searched by grapheme clusters.
    package static var graphemes: Int { 128 }

    /// A text of up to this many bytes costs nothing: comparing it takes about as long as finding the comparison.
    @inlinable package static var freeTextCount: Int { 256 }

    /// The cost of ``MobileMatcher/matches(_:_:)``, which converts the value to lower case each time.
    package static func visits(comparing value: JSValue?, with operandCount: Int) -> Int {
        guard case .string(let text)? = value, text.utf8.count > freeTextCount else { return 0 }
        let isASCII = text.withUTF8Bytes { $0.reduce(0, |) < 0x80 }
        return text.utf8.count * (isASCII ? 4 + operandCount : graphemes / 4 + graphemes * operandCount)
    }
}
