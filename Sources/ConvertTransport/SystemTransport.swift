/// Sends requests over the system's HTTP client, and keeps nothing: no cookies, no cache, no credentials.
///
/// ```swift
/// let transport = SystemTransport()
/// let response = try await transport.send(HTTPRequest(url: url, timeout: 5, maximumResponseLength: 1 << 20))
/// ```
///
/// On Linux the client is libcurl, version 7.68 or newer, found when the first request is sent; the toolchain's
/// FoundationNetworking needs the same library. If it is not there, requests fail with
/// ``TransportError/Code/libraryMissing``, whose message names the package to install; a statically linked executable cannot
/// load it. One thread serves a transport. The end of the process waits for it, two seconds at most. On Apple's systems the
/// client is `URLSession`.
///
/// Connections are kept open between requests, so one transport is meant to serve a whole process. It may be used from any
/// number of tasks. A request's timeout bounds the whole exchange, redirects and the wait for a connection included. Its
/// length limit is enforced while the body arrives: no more than it is ever held. On Linux a header is bounded too, and a
/// name that is slow to look up does not hold up exchanges with other hosts (before libcurl 7.87 it may, after it was given
/// up). A compressed body that ends early although its framing is complete is taken for whole on Linux, so a caller checks
/// what it decodes.
///
/// A redirect is followed to `https`, or from loopback to loopback, five times at most, and without `Authorization` to
/// another origin. Any other redirect is returned as the response that it is; so is one that would turn a `POST` into
/// a `GET`.
///
/// On Linux the environment may name a proxy (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`) for what does not go to
/// this machine. What is given there as user and password goes to the proxy alone.
public final class SystemTransport: HTTPTransport {
    #if canImport(Darwin)
    private let client: URLSessionClient
    #elseif os(Linux)
    private let client: CurlClient
    #endif

    /// A transport.
    /// - Parameter connectionsPerHost: how many connections it opens to one host at a time; further requests wait. At
    ///   least 1. `URLSession` may open a few more.
    public init(connectionsPerHost: Int = 6) {
        #if canImport(Darwin)
        client = URLSessionClient(connectionsPerHost: max(1, connectionsPerHost))
        #elseif os(Linux)
        client = CurlClient(connectionsPerHost: max(1, connectionsPerHost))
        #endif
    }

    /// Sends `request` and returns the whole response, of whatever status.
    /// - Throws: `TransportError` if there is no complete response, `CancellationError` if the task was cancelled.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        #if canImport(Darwin) || os(Linux)
        try await RedirectPolicy.follow(request) { try await client.exchange($0, until: $1) }
        #else
        throw TransportError(.libraryMissing, host: request.url.hostAndPort)
        #endif
    }
}
