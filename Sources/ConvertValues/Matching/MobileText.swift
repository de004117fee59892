public import ConvertECMAScript

/// A lowercased text as the mobile matchers compare it.
///
/// Text is equal by canonical equivalence and searched by grapheme clusters. For ASCII without carriage returns (with a
/// line feed they form one cluster) both come down to bytes, which are many times faster to search.
@usableFromInline
package struct MobileText: Sendable, Hashable, MobileSearchable {
    /// The lowercased text.
    package let text: String
    /// Its bytes, if they may be compared instead.
    private let bytes: [UInt8]?

    /// Prepares `text`.
    package init(lowercasing text: String) {
        let lowercase = text.lowercased()
        self.text = lowercase
        let bytes = Array(lowercase.utf8)
        self.bytes = bytes.allSatisfy(Self.isPlain) ? bytes : nil
    }

    /// Whether its bytes may be compared instead.
    package var isPlain: Bool { bytes != nil }

    /// How many bytes it takes.
    package var count: Int { text.utf8.count }

    /// Whether a text of such bytes may be compared by them.
    private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != 0x0d }

    /// Appends the bytes of `text` in lower case, and returns it in lower case if its bytes must not be compared.
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

    /// Feeds the text.
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

    /// Whether `other`, if it is not empty, occurs in the text, in time linear to both.
    @usableFromInline
    package func hasPart(_ other: MobileText) -> Bool {
        guard let bytes, let part = other.bytes else { return text.hasPart(other.text) }
        return bytes.withUnsafeBufferPointer { bytes in
            part.withUnsafeBufferPointer { ByteText(bytes).hasPart(ByteText($0)) }
        }
    }
}

/// A lowercased text, or its bytes if they may be compared instead.
@usableFromInline
package protocol MobileSearchable: Equatable {
    /// Whether the text begins with `other`.
    func hasPrefix(_ other: Self) -> Bool
    /// Whether the text ends with `other`.
    func hasSuffix(_ other: Self) -> Bool
    /// Whether `other` occurs; an empty one does not: the reference's search finds nothing to look for.
    func hasPart(_ other: Self) -> Bool
}

extension String: MobileSearchable {
    /// Whether `other`, if it is not empty, occurs by grapheme clusters.
    @usableFromInline
    package func hasPart(_ other: String) -> Bool { !other.isEmpty && contains(other) }
}

extension ByteText: MobileSearchable {
    /// Whether `other`, if it is not empty, occurs.
    @inlinable
    package func hasPart(_ other: ByteText) -> Bool { other.count > 0 && contains(other) }
}

extension [UInt8] {
    /// Whether `part` stands at `start`; the caller has seen to it that it fits.
    fileprivate func matches(_ part: [UInt8], at start: Int) -> Bool {
        for index in part.indices where self[start + index] != part[index] { return false }
        return true
    }
}
