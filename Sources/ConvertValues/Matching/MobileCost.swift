package import ConvertECMAScript

/// What comparisons of the mobile family cost where a text is long, in visits: about as many nanoseconds.
@usableFromInline
package enum MobileCost {
    /// What a byte costs that is searched by grapheme clusters.
    package static var graphemes: Int { 128 }

    /// Bytes of a text that costs nothing: comparing it takes about as long as finding the comparison.
    @inlinable package static var freeTextCount: Int { 256 }

    /// What ``MobileMatcher/matches(_:_:)`` takes, which puts the value in lower case each time.
    package static func visits(comparing value: JSValue?, with operandCount: Int) -> Int {
        guard case .string(let text)? = value, text.utf8.count > freeTextCount else { return 0 }
        let isASCII = text.withUTF8Bytes { $0.reduce(0, |) < 0x80 }
        return text.utf8.count * (isASCII ? 4 + operandCount : graphemes / 4 + graphemes * operandCount)
    }
}
