#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One HTTP request.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, such as `GET`.
    public var method: String
    /// The URL.
    public var url: URL
    /// Header fields by name; names are case-insensitive. The fields that frame the message (`Content-Length`,
    /// `Transfer-Encoding`, `Expect`) are ignored, because the transport writes them.
    public var headers: [String: String]
    /// The body, if there is one; `GET` and `HEAD` requests must not have a body.
    public var body: Data?
    /// The timeout for the whole exchange, in seconds, at most a day. Zero, negative values and NaN mean an immediate
    /// timeout.
    public var timeout: TimeInterval
    /// The maximum length of the response's body in bytes, after decompression. A longer body is an error.
    public var maximumResponseLength: Int

    /// Creates a request.
    public init(
        method: String = "GET", url: URL, headers: [String: String] = [:], body: Data? = nil,
        timeout: TimeInterval = 10,
        maximumResponseLength: Int = 64 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumResponseLength = maximumResponseLength
    }
}

// Requests contain secrets in header fields and queries, so neither descriptions nor dumps show them.

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, scheme and host, names of header fields, and the body's length; no values.
    public var description: String {
        let origin = "\(url.scheme ?? "")://\(url.hostAndPort ?? "")"
        return "\(method) \(origin) [\(headers.keys.sorted().joined(separator: ", "))] \(body?.count ?? 0) bytes"
    }

    /// The same text as `description`.
    public var debugDescription: String { description }

    /// A mirror that shows only `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}
