public import Foundation

/// One HTTP request.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, such as `GET`.
    public var method: String
    /// Where it goes.
    public var url: URL
    /// Header fields by name; names are told apart without regard to case. Those that frame the message (`Content-Length`,
    /// `Transfer-Encoding`, `Expect`) are the transport's and left out.
    public var headers: [String: String]
    /// The body, if there is one; `GET` and `HEAD` have none.
    public var body: Data?
    /// How long the whole exchange may take, in seconds.
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

/// One HTTP response, of whatever status.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code.
    public let status: Int
    /// Header fields by lowercased name.
    public let headers: [String: String]
    /// The body, decompressed; empty if there is none.
    public let body: Data

    /// A response; header names are lowercased.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        self.body = body
    }
}

/// What sends HTTP requests. An app may bring its own client by conforming to it.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the whole response, of whatever status.
    ///
    /// Redirects are followed to `https` only, or from loopback to loopback. Cancelling the task ends the exchange.
    /// - Throws: an error only if there is no complete response: the endpoint cannot be reached, the exchange took longer
    ///   than the request's timeout, was cut short, or the body is longer than allowed. A ``TransportError`` carries the
    ///   status if that had arrived: tracking events whose status was a 2xx are not sent again.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
