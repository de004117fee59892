public import Foundation

/// A port of 127.0.0.1 on which nothing listens and that no other process can take: connections to it are refused.
public final class RefusingPort: Sendable {
    private let socket: Int32

    /// The port's address, over plain HTTP.
    public let url: URL

    /// Takes a free port.
    public init() throws {
        socket = try LoopbackSocket.bound(port: 0)
        url = URL(string: "http://127.0.0.1:\(try LoopbackSocket.port(of: socket))/") ?? URL(fileURLWithPath: "/")
    }

    deinit { LoopbackSocket.close(socket) }
}
