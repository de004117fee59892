/// What a server gave with a representation so that it can later be asked whether that is still the current one.
///
/// They belong to one URL and to the copy they came with; keep the three together, on disk too. A value that could not be
/// sent as a header field, whether it came from a server or from a file, is as if it were not there.
public struct HTTPValidators: Sendable, Equatable {
    /// The longest value that is kept, in bytes.
    static let longestValue = 8192

    /// The entity tag as the server wrote it, quotation marks and `W/` included.
    public let etag: String?

    /// The date of the last modification as the server wrote it.
    public let lastModified: String?

    /// Validators; a malformed one counts as `nil`.
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = Self.usable(etag)
        self.lastModified = Self.usable(lastModified)
    }

    /// The validators that came with `response`.
    public init(_ response: HTTPResponse) {
        self.init(etag: response.headers["etag"], lastModified: response.headers["last-modified"])
    }

    /// Whether there is nothing to ask with.
    public var isEmpty: Bool { etag == nil && lastModified == nil }

    /// These, with what `newer` knows in place of them.
    func updated(with newer: HTTPValidators) -> HTTPValidators {
        HTTPValidators(etag: newer.etag ?? etag, lastModified: newer.lastModified ?? lastModified)
    }

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
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            etag: try? container.decode(String.self, forKey: .etag),
            lastModified: try? container.decode(String.self, forKey: .lastModified))
    }
}
