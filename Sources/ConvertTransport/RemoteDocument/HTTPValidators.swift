/// A server's validators for a representation, with which a later request asks whether it is still current.
///
/// They belong to one URL and to the copy that they were received with; store the three together. A value that is not
/// valid in a header field is ignored, whether a server sent it or a file contains it.
package struct HTTPValidators: Sendable, Equatable {
    /// The maximum length of a stored value, in bytes.
    static let longestValue = 8192

    /// The entity tag as the server wrote it, including quotation marks and `W/`.
    package let etag: String?

    /// The date of the last modification as the server wrote it.
    package let lastModified: String?

    /// Creates validators; a malformed one becomes `nil`.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = Self.usable(etag)
        self.lastModified = Self.usable(lastModified)
    }

    /// Creates the validators of `response`.
    package init(_ response: HTTPResponse) {
        self.init(etag: response.headers["etag"], lastModified: response.headers["last-modified"])
    }

    /// Whether there are no validators.
    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// These validators, with values from `newer` where it has any.
    func updated(with newer: HTTPValidators) -> HTTPValidators {
        HTTPValidators(etag: newer.etag ?? etag, lastModified: newer.lastModified ?? lastModified)
    }

    /// Whether `received`, from a 304, may belong to another document: its entity tag differs or, if it has no tag, its
    /// date differs (RFC 9111, section 4.3.4).
    func contradict(_ received: HTTPValidators) -> Bool {
        if isEmpty { return false }
        if let newer = received.etag { return etag.map { Self.opaque($0) != Self.opaque(newer) } ?? true }
        guard etag == nil, let newer = received.lastModified else { return false }
        return newer != lastModified
    }

    /// The tag without the prefix of a weak tag: a 304 may have either form (RFC 9110, section 8.8.3.2, weak
    /// comparison).
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

    /// Decodes validators; a malformed one becomes `nil`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            etag: try? container.decode(String.self, forKey: .etag),
            lastModified: try? container.decode(String.self, forKey: .lastModified))
    }
}
