/// A JavaScript string that no Swift text can be: one with a surrogate that lacks its other half.
///
/// JSON spells it with an escape such as `\ud83d`. JavaScript compares it by its code units like any other string, so it
/// equals no well-formed text, and not the text with U+FFFD that it is shown as.
public struct IllFormedText: Sendable, Hashable {
    /// The text in UTF-8, in which such a surrogate takes three bytes as any scalar of its size does.
    ///
    /// Two halves of a pair never stand side by side, so texts are equal when their bytes are.
    package let bytes: [UInt8]

    /// The text of `bytes`, which are of the form of ``bytes`` and hold a surrogate without its other half.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text of UTF-16 code units, or `nil` if they are well-formed, and therefore a `String`.
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
        bytes.withUnsafeBufferPointer { bytes in
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

    /// The text with U+FFFD in place of each surrogate without its other half, as `String.prototype.toWellFormed` gives it.
    public var wellFormed: String { replacingSurrogates { _ in "\u{FFFD}" } }

    /// The text in lower case, as `String.prototype.toLowerCase` gives it.
    package var lowercase: IllFormedText {
        var lower: [UInt8] = []
        bytes.withUnsafeBufferPointer { ECMAScript.appendLowerCase(utf8: $0, to: &lower) }
        return IllFormedText(bytes: lower)
    }

    /// The text with an escape such as `\ud83d` in place of each surrogate without its other half.
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
        /// A surrogate without its other half.
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
    /// The text with U+FFFD in place of what Swift cannot hold.
    public var description: String { wellFormed }
}

extension ECMAScript {
    /// Whether a text, of the form of ``IllFormedText/bytes``, has a surrogate without its other half.
    package static func hasLoneSurrogates(_ bytes: some Collection<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if last == 0xed, byte >= 0xa0 { return true }
            last = byte
        }
        return false
    }

    /// The text with three bytes for each surrogate, also for those of a pair: a part of the text is then a part of the bytes,
    /// and texts and their bytes have one order.
    ///
    /// UTF-8 does not show that `"😀"` begins with `"\ud83d"`, as it does to JavaScript.
    package static func separatingSurrogates(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
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
