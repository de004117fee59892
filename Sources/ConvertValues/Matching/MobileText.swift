public import ConvertECMAScript

/// A lowercased text, in the form that mobile matchers compare.
///
/// Texts are compared by canonical equivalence, and searched by grapheme clusters. ASCII without carriage returns can
/// be compared and searched by its bytes, which is many times faster. (A carriage return and a line feed form one
/// cluster.)
@usableFromInline
package struct MobileText: Sendable, Hashable, MobileSearchable {
    /// The lowercased text.
    package let text: String
    /// The text's bytes, if they can be compared instead; otherwise `nil`.
    private let bytes: [UInt8]?

    /// Prepares `text`.
    package init(lowercasing text: String) {
        let lowercase = text.lowercased()
        self.text = lowercase
        let bytes = Array(lowercase.utf8)
        self.bytes = bytes.allSatisfy(Self.isPlain) ? bytes : nil
    }

    /// Whether the text can be compared by its bytes.
    package var isPlain: Bool { bytes != nil }

    /// The number of the text's UTF-8 bytes.
    package var count: Int { text.utf8.count }

    /// Whether a text of bytes like `byte` can be compared by its bytes.
    private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != 0x0d }

    /// Appends the bytes of `text` in lower case. Returns the text in lower case if it cannot be compared by its bytes,
    /// otherwise `nil`.
    package static func appendLowercase(of text: String, to bytes: inout Rows<UInt8>) -> String? {
        let start = bytes.count
        text.withUTF8Bytes { bytes.append(contentsOf: $0) }
        var isPlain = true
        for index in start..<bytes.count {
            let byte = bytes[index]
            isPlain = isPlain && Self.isPlain(byte)
            bytes[index] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
        }
        if isPlain { return nil }
        bytes.removeLast(bytes.count - start)
        let lowercase = text.lowercased()
        lowercase.withUTF8Bytes { bytes.append(contentsOf: $0) }
        return lowercase.utf8.allSatisfy(Self.isPlain) ? nil : lowercase
    }

    /// Whether both texts are canonically equivalent.
    @usableFromInline
    package static func == (left: MobileText, right: MobileText) -> Bool { left.text == right.text }

    /// Feeds the lowercased text to `hasher`.
    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Whether the text begins with `other`.
    @usableFromInline
    package func hasPrefix(_ other: MobileText) -> Bool {
        guard let bytes, let part = other.bytes else { return text.hasPrefix(other.text) }
        return bytes.count >= part.count && bytes.matches(part, at: 0)
    }

    /// Whether the text ends with `other`.
    @usableFromInline
    package func hasSuffix(_ other: MobileText) -> Bool {
        guard let bytes, let part = other.bytes else { return text.hasSuffix(other.text) }
        return bytes.count >= part.count && bytes.matches(part, at: bytes.count - part.count)
    }

    /// Whether `other` is not empty and occurs in the text. Takes time linear to both.
    @usableFromInline
    package func hasPart(_ other: MobileText) -> Bool {
        guard let bytes, let part = other.bytes else { return text.hasPart(other.text) }
        return bytes.withElements { bytes in part.withElements { bytes.hasPart($0) } }
    }
}

/// A lowercased text, or its bytes if they can be compared instead.
@usableFromInline
package protocol MobileSearchable: Equatable {
    /// Whether the text begins with `other`.
    func hasPrefix(_ other: Self) -> Bool
    /// Whether the text ends with `other`.
    func hasSuffix(_ other: Self) -> Bool
    /// Whether `other` occurs in the text. An empty text never occurs, as in the reference.
    func hasPart(_ other: Self) -> Bool
}

extension String: MobileSearchable {
    /// Whether `other` is not empty and occurs in the text, compared by grapheme clusters.
    @usableFromInline
    package func hasPart(_ other: String) -> Bool { !other.isEmpty && contains(other) }
}

extension Borrowed: MobileSearchable where Element == UInt8 {
    /// Whether `other` is not empty and occurs in the text.
    @inlinable
    package func hasPart(_ other: ByteText) -> Bool { other.count > 0 && contains(other) }
}

extension [UInt8] {
    /// Whether `part` is at `start`. The caller must check that `part` fits there.
    fileprivate func matches(_ part: [UInt8], at start: Int) -> Bool {
        for index in part.indices where self[start + index] != part[index] { return false }
        return true
    }
}
