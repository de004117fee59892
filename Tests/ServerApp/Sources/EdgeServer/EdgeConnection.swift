import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection that waits to be served.
///
/// During the shutdown the server drops connections that it has just accepted. `NIOAsyncChannel` stops the process when
/// it is released unused, so a dropped one is closed.
final class EdgeConnection: ServerChildChannelValue {
    private let wrapped: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    private let isTaken = Atomic(false)

    init(_ wrapped: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>) { self.wrapped = wrapped }

    var channel: any Channel { wrapped.channel }

    /// The connection, to be served.
    func take() -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        isTaken.store(true, ordering: .relaxed)
        return wrapped
    }

    deinit {
        if isTaken.load(ordering: .relaxed) { return }
        Task { [wrapped] in try? await wrapped.executeThenClose { _, _ in } }
    }
}
