/// A JavaScript string that a Swift string cannot hold, because it has a surrogate without its other half.
///
/// JSON spells the surrogate with an escape such as `\ud83d`. JavaScript compares such strings by code units, like all
/// strings. The text therefore equals no well-formed text, not even the text with U+FFFD that is displayed for it.
public struct IllFormedText: Sendable, Hashable {
    /// The text in UTF-8, where a lone surrogate takes three bytes, like any scalar of its size.
    ///
    /// Two halves of a pair are never adjacent, so texts are equal if their bytes are equal.
    package let bytes: [UInt8]

    /// Creates a text from `bytes`, which must have the form of ``bytes`` and contain a lone surrogate.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a text from UTF-16 code units, or returns `nil` if they are well-formed and therefore fit a `String`.
    public init?(codeUnits: some Sequence<UInt16>) {
        let units = Array(codeUnits)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(units.count * 3)
        var isWellFormed = true
        var index = 0
        while index < units.count {
            let scalar: UInt32
            if index + 1 < units.count, UTF16.isLeadSurrogate(units[index]), UTF16.isTrailSurrogate(units[index + 1]) {
                scalar = 0x10000 + UInt32(units[index] & 0x3ff) << 10 + UInt32(units[index + 1] & 0x3ff)
                index += 2
            } else {
                if UTF16.isSurrogate(units[index]) { isWellFormed = false }
                scalar = UInt32(units[index])
                index += 1
            }
            ECMAScript.appendUTF8(of: scalar, to: &bytes)
        }
        if isWellFormed { return nil }
        self.bytes = bytes
    }

    /// The UTF-16 code units.
    public var codeUnits: [UInt16] {
        bytes.withElements { bytes in
            var units: [UInt16] = []
            units.reserveCapacity(bytes.count)
            let input = UTF8Units(bytes: bytes)
            var position = 0
            while position < input.count {
                let (unit, width) = input.unit(at: position)
                units.append(unit)
                position += width
            }
            return units
        }
    }

    /// The text with U+FFFD in place of each lone surrogate, like `String.prototype.toWellFormed`.
    public var wellFormed: String { replacingSurrogates { _ in "\u{FFFD}" } }

    /// The text in lower case, like `String.prototype.toLowerCase`.
    package var lowercase: IllFormedText {
        var lower: [UInt8] = []
        bytes.withElements { ECMAScript.appendLowerCase(utf8: $0, to: &lower) }
        return IllFormedText(bytes: lower)
    }

    /// The text with an escape such as `\ud83d` in place of each lone surrogate.
    package var escapingSurrogates: String { replacingSurrogates(JSONEscape.spelling) }

    private func replacingSurrogates(_ replacement: (UInt16) -> String) -> String {
        var text = ""
        forEachPart { part in
            switch part {
            case .text(let run): text += run
            case .surrogate(let unit): text += replacement(unit)
            }
        }
        return text
    }

    /// A part of the text.
    package enum Part {
        case text(String)
        /// A lone surrogate.
        case surrogate(UInt16)
    }

    /// Calls `body` with each part, in order.
    package func forEachPart(_ body: (Part) -> Void) {
        var start = 0
        var index = 0
        while index < bytes.count {
            guard index + 2 < bytes.count, bytes[index] == 0xed, bytes[index + 1] >= 0xa0 else {
                index += 1
                continue
            }
            body(.text(String(decoding: bytes[start..<index], as: UTF8.self)))
            body(.surrogate(0xd000 | UInt16(bytes[index + 1] & 0x3f) << 6 | UInt16(bytes[index + 2] & 0x3f)))
            index += 3
            start = index
        }
        body(.text(String(decoding: bytes[start...], as: UTF8.self)))
    }
}

extension IllFormedText: CustomStringConvertible {
    /// The text with U+FFFD in place of each lone surrogate.
    public var description: String { wellFormed }
}

extension ECMAScript {
    /// Whether a text in the form of ``IllFormedText/bytes`` has a lone surrogate.
    package static func hasLoneSurrogates(_ bytes: some Collection<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if last == 0xed, byte >= 0xa0 { return true }
            last = byte
        }
        return false
    }

    /// The text with three bytes for each surrogate, even for a surrogate in a pair. In this form, a part of the text
    /// is a part of the bytes, and texts have the same order as their bytes.
    ///
    /// In UTF-8 the text `"😀"` does not begin with `"\ud83d"`, but in JavaScript it does.
    package static func separatingSurrogates(_ bytes: ByteText) -> [UInt8] {
        var separated: [UInt8] = []
        separated.reserveCapacity(bytes.count + bytes.count / 2)
        let input = UTF8Units(bytes: bytes)
        var position = 0
        while position < input.count {
            let (unit, width) = input.unit(at: position)
            appendUTF8(of: UInt32(unit), to: &separated)
            position += width
        }
        return separated
    }
}
