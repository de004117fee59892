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
        field.split(separator: ",").contains { part in
            let name = trimmed(part)
            return name == "*" || opaque(name) == opaque(tag[...])
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    private static func opaque(_ tag: Substring) -> Substring {
        var tag = tag
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        if tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") { tag = tag.dropFirst().dropLast() }
        return tag
    }
}
