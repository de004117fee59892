/// A lowercased text as the mobile matchers compare it.
///
/// Text is equal by canonical equivalence and searched by grapheme clusters. For ASCII without carriage returns (with a
/// line feed they form one cluster) both come down to bytes, which are many times faster to search.
package struct MobileText: Sendable, Hashable {
    /// The lowercased text.
    package let text: String
    /// Its bytes, if they may be compared instead.
    private let bytes: [UInt8]?

    /// Prepares `text`.
    package init(lowercasing text: String) {
        let lowercase = text.lowercased()
        self.text = lowercase
        let bytes = Array(lowercase.utf8)
        self.bytes = bytes.allSatisfy { $0 < 0x80 && $0 != 0x0d } ? bytes : nil
    }

    /// Whether both texts are canonically equivalent.
    package static func == (left: MobileText, right: MobileText) -> Bool { left.text == right.text }

    /// Feeds the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    func hasPrefix(_ other: MobileText) -> Bool {
        guard let bytes, let part = other.bytes else { return text.hasPrefix(other.text) }
        return bytes.count >= part.count && bytes.matches(part, at: 0)
    }

    func hasSuffix(_ other: MobileText) -> Bool {
        guard let bytes, let part = other.bytes else { return text.hasSuffix(other.text) }
        return bytes.count >= part.count && bytes.matches(part, at: bytes.count - part.count)
    }

    /// Whether `other` occurs in the text, in time linear to both; an empty one does not: the reference's search finds nothing to look for.
    func contains(_ other: MobileText) -> Bool {
        if other.text.isEmpty { return false }
        guard let bytes, let part = other.bytes else { return text.contains(other.text) }
        return bytes.withUnsafeBufferPointer { bytes in
            part.withUnsafeBufferPointer { ByteText(bytes).contains(ByteText($0)) }
        }
    }
}

extension [UInt8] {
    /// Whether `part` stands at `start`; the caller has seen to it that it fits.
    fileprivate func matches(_ part: [UInt8], at start: Int) -> Bool {
        for index in part.indices where self[start + index] != part[index] { return false }
        return true
    }
}
