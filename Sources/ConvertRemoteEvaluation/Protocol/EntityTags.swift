import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The entity tags of bulk answers (RFC 9110, section 8.8.3).
enum EntityTags {
    /// The tag of a body: the same for the same bytes. It does not keep secrets.
    static func tag(of body: [UInt8]) -> String {
        let digest = DocumentDigest(of: Data(body))
        return "\"\(String(digest.hash, radix: 16))-\(String(digest.length, radix: 16))\""
    }

    /// Whether a value of `If-None-Match` contains `tag`.
    ///
    /// Tags are compared weakly. A tag without quotes is accepted as well, because the protocol's example has no
    /// quotes.
    static func matches(_ field: String, _ tag: String) -> Bool {
        let wanted = opaque(tag.utf8[...])
        // By bytes: a field may have thousands of parts.
        var rest = field.utf8[...]
        while let part = next(in: &rest) {
            if part.elementsEqual("*".utf8) || opaque(part).elementsEqual(wanted) { return true }
        }
        return false
    }

    /// Removes the next part of a list from its beginning. Commas within quotes belong to a part.
    private static func next(in list: inout Substring.UTF8View) -> Substring.UTF8View? {
        let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\"")
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        list = list.drop { $0 == comma || isSpace($0) }
        if list.isEmpty { return nil }
        var isQuoted = false
        var part = list.prefix { byte in
            if byte == quote { isQuoted.toggle() }
            return byte != comma || isQuoted
        }
        list = list[part.endIndex...]
        while let last = part.last, isSpace(last) { part.removeLast() }
        return part
    }

    private static func opaque(_ tag: Substring.UTF8View) -> Substring.UTF8View {
        let quote = UInt8(ascii: "\"")
        let tag = tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
        return tag.count >= 2 && tag.first == quote && tag.last == quote ? tag.dropFirst().dropLast() : tag
    }
}
