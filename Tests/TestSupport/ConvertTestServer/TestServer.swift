import ConvertTestSupport
public import Foundation
import ConvertConcurrency

/// An HTTP server on loopback that answers as a test tells it to, faults included, and records what it was asked.
///
/// ```swift
/// let server = try TestServer { request in
///     request.path == "/config" ? .status(200, body: config) : .cutShort(body: "half", announcing: 1000)
/// }
/// defer { server.stop() }
/// ```
///
/// One thread accepts, one more serves each connection; they live until `stop()`. All members may be called from any
/// thread.
public final class TestServer: Sendable {
    struct State {
        var listener: Int32
        /// What keeps the port while nothing listens on it.
        var placeholder: Int32 = -1
        var isStopped = false
        var connections: Set<Int32> = []
        var requests: [RecordedRequest] = []
        var bytesSent = 0
        var connectionCount = 0

        mutating func closePlaceholder() {
            if placeholder >= 0 { LoopbackSocket.close(placeholder) }
            placeholder = -1
        }
    }

    /// The port, on 127.0.0.1.
    public let port: UInt16

    let handler: @Sendable (RecordedRequest) -> ServerResponse
    let state: Mutex<State>

    /// Starts a server on a free port of 127.0.0.1 that answers each request with what `handler` returns for it.
    public init(answering handler: @escaping @Sendable (RecordedRequest) -> ServerResponse) throws {
        self.handler = handler
        let socket = try LoopbackSocket.bound(port: 0)
        port = try LoopbackSocket.port(of: socket)
        try LoopbackSocket.listen(socket)
        state = Mutex(State(listener: socket))
        Thread.detachNewThread { self.acceptConnections() }
    }

    /// Starts a server that gives `responses` in order, and the last of them to all further requests.
    public convenience init(_ responses: ServerResponse...) throws {
        let left = Mutex(responses)
        try self.init { _ in
            left.withLock { left in
                left.count > 1 ? left.removeFirst() : left.first ?? .status(500)
            }
        }
    }

    /// The server's address with `path`, over plain HTTP.
    public func url(_ path: String = "/") -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// The requests so far, in the order in which they were complete.
    public var requests: [RecordedRequest] { state.withLock { $0.requests } }

    /// How many bytes were handed to the sockets so far.
    public var bytesSent: Int { state.withLock { $0.bytesSent } }

    /// How many connections were accepted so far.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// How many connections are open now.
    public var openConnectionCount: Int { state.withLock { $0.connections.count } }

    /// Returns once at least `count` requests have arrived; `false` if they have not after five minutes.
    @discardableResult
    public func waitForRequests(_ count: Int) async -> Bool {
        await eventually { self.state.withLock { $0.requests.count } >= count }
    }

    /// Returns once no connection is open; `false` if one still is after five minutes.
    @discardableResult
    public func waitUntilAlone() async -> Bool {
        await eventually { self.openConnectionCount == 0 }
    }

    /// Refuses connections from now on, as a host does on which nothing listens; connections that are open go on.
    public func refuseConnections() {
        state.withLock { state in
            guard state.listener >= 0 else { return }
            // Keeps the port from others, which could otherwise be asked what was meant for this server.
            state.placeholder = (try? LoopbackSocket.bound(port: port)) ?? -1
            LoopbackSocket.close(state.listener)
            state.listener = -1
        }
    }

    /// Accepts connections again after `refuseConnections()`.
    public func acceptConnectionsAgain() throws {
        try state.withLock { state in
            guard state.listener < 0, !state.isStopped else { return }
            let socket = try LoopbackSocket.bound(port: port)
            try LoopbackSocket.listen(socket)
            state.listener = socket
            state.closePlaceholder()
        }
    }

    /// Ends all connections and listens no longer.
    public func stop() {
        refuseConnections()
        state.withLock { state in
            state.isStopped = true
            state.closePlaceholder()
            state.connections.forEach(LoopbackSocket.shutDown)
        }
    }
}
