/// The result of scanning a JSON string: its end and its text.
///
/// Escapes are replaced in the source buffer itself, because a text never takes more bytes than its escaped form. So
/// every text of a document is a range of the source.
struct JSONString: BitwiseCopyable {
    /// Index after the closing quote.
    let end: Int
    /// Length of the text in bytes. The text begins where the string begins.
    let length: Int
    /// Whether the text has lone surrogates. A lone surrogate is written as three bytes, like any scalar of its size.
    let hasLoneSurrogates: Bool

    /// Scans the string whose first byte after the quote is at `start`.
    @inline(__always)
    static func scan(_ source: borrowing PaddedBytes, from start: Int) throws(JSONFailure) -> JSONString {
        var index = start
        while true {
            // The zeros after the source count as special bytes, so the scan ends there.
            let special = TextWord.specialBytes(source.word(at: index))
            if special != 0 {
                index &+= special.trailingZeroBitCount &>> 3
                break
            }
            index &+= 8
        }
        if source[index] == UInt8(ascii: "\"") {
            return JSONString(end: index &+ 1, length: index &- start, hasLoneSurrogates: false)
        }
        return try scanUnusual(source, from: start, at: index)
    }

    /// Continues the scan at `index`, where the source has an escape, a control character, or a byte that is not ASCII.
    @inline(never)
    private static func scanUnusual(
        _ source: borrowing PaddedBytes, from start: Int, at index: Int
    ) throws(JSONFailure) -> JSONString {
        var index = index
        var end = index
        var hasLoneSurrogates = false
        while true {
            let byte = source[index]
            switch byte {
            case UInt8(ascii: "\""):
                return JSONString(end: index + 1, length: end - start, hasLoneSurrogates: hasLoneSurrogates)
            case UInt8(ascii: "\\"):
                let escape = try JSONEscape.scan(source, at: index)
                if escape.isLoneSurrogate { hasLoneSurrogates = true }
                end = escape.write(to: source, at: end)
                index = escape.end
            case 0..<0x20:
                throw JSONFailure(
                    reason: index == source.count ? .endOfText : .controlCharacter, offset: index)
            case 0x20..<0x80:
                source[end] = byte
                index &+= 1
                end &+= 1
            default:
                let length = try utf8Length(source, at: index)
                for offset in 0..<length { source[end &+ offset] = source[index &+ offset] }
                index &+= length
                end &+= length
            }
        }
    }

    /// The length of the well-formed UTF-8 sequence (Unicode 16, table 3-7) at `index`, where the source has a byte of
    /// 0x80 or more.
    @inline(__always)
    private static func utf8Length(_ source: borrowing PaddedBytes, at index: Int) throws(JSONFailure) -> Int {
        let second = source[index &+ 1]
        let isSecond: Bool
        let length: Int
        switch source[index] {
        case 0xc2...0xdf: (length, isSecond) = (2, second & 0xc0 == 0x80)
        case 0xe0: (length, isSecond) = (3, second & 0xe0 == 0xa0)
        case 0xed: (length, isSecond) = (3, second & 0xe0 == 0x80)
        case 0xe1...0xef: (length, isSecond) = (3, second & 0xc0 == 0x80)
        case 0xf0: (length, isSecond) = (4, second >= 0x90 && second <= 0xbf)
        case 0xf1...0xf3: (length, isSecond) = (4, second & 0xc0 == 0x80)
        case 0xf4: (length, isSecond) = (4, second & 0xf0 == 0x80)
        default: (length, isSecond) = (1, false)
        }
        guard isSecond, length < 3 || source[index &+ 2] & 0xc0 == 0x80,
            length < 4 || source[index &+ 3] & 0xc0 == 0x80
        else { throw JSONFailure(reason: .utf8, offset: index) }
        return length
    }
}
