/// Sends requests with the system's HTTP client. It stores nothing: no cookies, no cache, no credentials.
///
/// ```swift
/// let transport = SystemTransport()
/// let response = try await transport.send(HTTPRequest(url: url, timeout: 5, maximumResponseLength: 1 << 20))
/// ```
///
/// On Linux the client is libcurl, version 7.68 or newer, loaded when the first request is sent. (The toolchain's
/// FoundationNetworking needs the same library.) If it is missing, requests fail with
/// ``TransportError/Code/libraryMissing``, whose message names the package to install. A statically linked executable
/// cannot load it. Each transport has one thread; the end of the process waits for it, at most two seconds. On Apple's
/// systems the client is `URLSession`.
///
/// Connections stay open between requests, so use one transport for a whole process. It can be used from any number of
/// tasks.
///
/// A request's timeout covers the whole exchange, including redirects and the wait for a connection. Its length limit
/// is enforced while the body arrives, so no more than that is held in memory.
///
/// On Linux, the header's length is limited too. A slow name look-up does not delay exchanges with other hosts, except
/// with libcurl before 7.87 after the look-up was abandoned. A compressed body that ends early counts as complete if
/// its framing is complete, so callers must check what they decode.
///
/// Redirects are followed to `https`, or from loopback to loopback, at most five times, and without `Authorization` for
/// another origin. Any other redirect is returned as the response, and so is a redirect that would turn a `POST` into a
/// `GET`.
///
/// On Linux the environment can name a proxy (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`) for requests to
/// other machines. A user and password in these variables are sent only to the proxy.
public final class SystemTransport: HTTPTransport {
    #if canImport(Darwin)
    private let client: URLSessionClient
    #elseif os(Linux)
    private let client: CurlClient
    #endif

    /// Creates a transport, without connecting.
    /// - Parameter connectionsPerHost: the maximum number of simultaneous connections to one host; further requests
    ///   wait. Values below 1 become 1. `URLSession` may open a few more.
    public init(connectionsPerHost: Int = 6) {
        #if canImport(Darwin)
        client = URLSessionClient(connectionsPerHost: max(1, connectionsPerHost))
        #elseif os(Linux)
        client = CurlClient(connectionsPerHost: max(1, connectionsPerHost))
        #endif
    }

    /// Sends `request` and returns the whole response, with any status.
    /// - Throws: `TransportError` if there is no complete response, `CancellationError` if the task was cancelled.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        #if canImport(Darwin) || os(Linux)
        try await RedirectPolicy.follow(request) { try await client.exchange($0, until: $1) }
        #else
        throw TransportError(.libraryMissing, host: request.url.hostAndPort)
        #endif
    }
}
