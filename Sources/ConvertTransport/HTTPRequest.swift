#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One HTTP request.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, such as `GET`.
    public var method: String
    /// Where it goes.
    public var url: URL
    /// Header fields by name; names are compared without regard to case. Those that frame the message (`Content-Length`,
    /// `Transfer-Encoding`, `Expect`) are the transport's and left out.
    public var headers: [String: String]
    /// The body, if there is one; `GET` and `HEAD` have none.
    public var body: Data?
    /// How long the whole exchange may take, in seconds: more than a day counts as a day, and what is not above zero, or no
    /// number, as no time at all.
    public var timeout: TimeInterval
    /// A response with a longer body, decompressed, is an error; in bytes.
    public var maximumResponseLength: Int

    /// A request.
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

// Requests carry secrets in header fields and queries, so neither kind of description nor a dump shows them.

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, scheme and host, names of header fields, and the body's length; no values.
    public var description: String {
        let origin = "\(url.scheme ?? "")://\(url.hostAndPort ?? "")"
        return "\(method) \(origin) [\(headers.keys.sorted().joined(separator: ", "))] \(body?.count ?? 0) bytes"
    }

    /// As `description`.
    public var debugDescription: String { description }

    /// A mirror that shows no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}
