public import ConvertTransport
import Synchronization

/// Sends requests over the system's libcurl, and keeps nothing: no cookies, no cache, no credentials.
///
/// ```swift
/// import ConvertCurlTransport
///
/// let convert = ConvertSDK(sdkKey: "1001/2002", transport: CurlTransport())
/// ```
///
/// It does what `URLSessionTransport` does, for servers on Linux: there FoundationNetworking up to Swift 6.3 ends the
/// process if a server closes the connection in the middle of a response's header or sends header fields after the body;
/// here both are answers like any other, an error or a response. Nor does a name that is slow to look up hold up exchanges
/// with other hosts (before libcurl 7.87 it may, after it was given up).
///
/// One thread serves the transport's exchanges, from the first one until the transport is released; connections are kept
/// open between requests. So one transport is meant to serve a whole process; it may be used from any number of tasks. A
/// request's timeout bounds the whole exchange, redirects and the wait for a connection included. Its length limit is
/// enforced while the body arrives: no more than it is ever held; a header is bounded too. A compressed body that ends early
/// although its framing is complete is taken for whole, so a caller checks what it decodes.
///
/// A redirect is followed to `https`, or from loopback to loopback, five times at most, and without `Authorization` to
/// another origin. Any other redirect is returned as the response that it is; so is one that would turn a `POST` into
/// a `GET`.
///
/// As with `URLSession` on Linux, the environment may name a proxy (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`);
/// what is given there as user and password goes to the proxy alone.
public final class CurlTransport: HTTPTransport {
    /// The longest header of a response, in bytes, together with those of interim responses and what follows a chunked body.
    package static let longestHead = 256 << 10

    private let connectionsPerHost: Int
    private let loop = Mutex<TransferLoop?>(nil)

    /// A transport.
    /// - Parameter connectionsPerHost: how many connections it opens to one host at a time; further requests wait. At
    ///   least 1.
    public init(connectionsPerHost: Int = 6) { self.connectionsPerHost = max(1, connectionsPerHost) }

    deinit { loop.withLock { $0 }?.retire() }

    /// Sends `request` and returns the whole response, of whatever status.
    /// - Throws: `TransportError` if there is no complete response, `CancellationError` if the task was cancelled.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await RedirectPolicy.follow(request) { request, deadline in
            let loop = runningLoop()
            let transfer = Transfer(request, deadline: deadline)
            do {
                return try await transfer.outcome.value { loop.add(transfer) }
            } catch {
                loop.remove(transfer)
                throw error
            }
        }
    }

    /// The loop of this transport; another one if that could not start, for want of file descriptors perhaps.
    private func runningLoop() -> TransferLoop {
        loop.withLock { loop in
            if let loop, !loop.isOver { return loop }
            let new = TransferLoop(connectionsPerHost: connectionsPerHost)
            loop = new
            return new
        }
    }
}
