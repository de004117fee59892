/// What a server gave with a representation so that it can later be asked whether that is still the current one.
///
/// They belong to one URL and to the copy they came with; keep the three together, on disk too. A value that could not be
/// sent as a header field, whether it came from a server or from a file, is as if it were not there.
package struct HTTPValidators: Sendable, Equatable {
    /// The longest value that is kept, in bytes.
    static let longestValue = 8192

    /// The entity tag as the server wrote it, quotation marks and `W/` included.
    package let etag: String?

    /// The date of the last modification as the server wrote it.
    package let lastModified: String?

    /// Validators; a malformed one counts as `nil`.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = Self.usable(etag)
        self.lastModified = Self.usable(lastModified)
    }

    /// The validators that came with `response`.
    package init(_ response: HTTPResponse) {
        self.init(etag: response.headers["etag"], lastModified: response.headers["last-modified"])
    }

    /// Whether there is nothing to ask with.
    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// These, with what `newer` knows in place of them.
    func updated(with newer: HTTPValidators) -> HTTPValidators {
        HTTPValidators(etag: newer.etag ?? etag, lastModified: newer.lastModified ?? lastModified)
    }

    /// Whether `received`, which came with a 304, may belong to another document: an entity tag that is not the one that is
    /// kept, or, where no tag came to go by, another date (RFC 9111, section 4.3.4).
    func contradict(_ received: HTTPValidators) -> Bool {
        if isEmpty { return false }
        if let newer = received.etag { return etag.map { Self.opaque($0) != Self.opaque(newer) } ?? true }
        guard etag == nil, let newer = received.lastModified else { return false }
        return newer != lastModified
    }

    /// The tag without the mark of a weak one: a 304 may have either (RFC 9110, section 8.8.3.2, weak comparison).
    private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }

    private static func usable(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value.utf8.count <= longestValue, HeaderField.isValue(value) else {
            return nil
        }
        return value
    }
}

extension HTTPValidators: Codable {
    private enum CodingKeys: String, CodingKey { case etag, lastModified }

    /// Decodes validators; a malformed one counts as `nil`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            etag: try? container.decode(String.self, forKey: .etag),
            lastModified: try? container.decode(String.self, forKey: .lastModified))
    }
}
