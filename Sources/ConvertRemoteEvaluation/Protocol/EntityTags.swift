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
    /// Tags are compared weakly. A tag without quotes is accepted as well, because the protocol's example has none.
    static func matches(_ field: String, _ tag: String) -> Bool {
        let wanted = opaque(tag.utf8[...])
        // By bytes: a field may have thousands of parts.
        return field.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            let name = trimmed(part)
            return name.elementsEqual("*".utf8) || opaque(name).elementsEqual(wanted)
        }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static func opaque(_ tag: Substring.UTF8View) -> Substring.UTF8View {
        let quote = UInt8(ascii: "\"")
        let tag = tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
        return tag.count >= 2 && tag.first == quote && tag.last == quote ? tag.dropFirst().dropLast() : tag
    }
}
