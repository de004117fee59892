import NIOCore
import NIOHTTP1

/// Ends connections: idle ones, those of clients that do not read, those after a malformed request or a last response,
/// and all of them when the server shuts down.
///
/// Responses to requests that were read are written first, and the last one announces the end.
final class ConnectionEndHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a connection that should end may take: to finish a request during the shutdown, or to close after its
    /// last response.
    private static let grace = TimeAmount.seconds(5)

    private enum Phase {
        case open
        /// The connection ends after the requests that were read so far.
        case ending
        /// The last response is complete.
        case finished
    }

    private var phase = Phase.open
    /// Whether a request was read in part.
    private var isReading = false
    /// Requests whose responses are not complete.
    private var unanswered = 0
    /// Responses whose ends are not written to the socket yet.
    private var unwritten = 0
    /// Bytes that waited to be written when the connection was idle for the last time.
    private var unwrittenBytes = 0
    /// Whether a request asked for another protocol. The decoder reads no request after it, and would keep all that
    /// arrives, so nothing more is read.
    private var isUpgrade = false
    private var isInputClosed = false
    /// Closes the connection at the latest.
    private var deadline: Scheduled<Void>?
    /// What others wanted to close before all responses were written.
    private var closing: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []

    /// Whether everything that arrives is discarded.
    private var isDiscarding: Bool { phase != .open && !isReading }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDiscarding { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            isUpgrade = head.asksForAnotherProtocol
            if !head.isKeepAlive || isUpgrade { phase = .ending }
            if head.isAmbiguous {
                phase = .ending
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            isReading = true
        case .body:
            break
        case .end:
            isReading = false
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The task that reads requests may have stopped.
        if isDiscarding, !isInputClosed { read(context: context) }
    }

    func read(context: ChannelHandlerContext) { if !isDiscarding || !isUpgrade { context.read() } }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if phase == .finished {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            if head.headers[canonicalForm: "connection"].contains("close") {
                // The rest of its request is not read, nor are others.
                (phase, unanswered) = (.ending, 1)
            } else if phase == .ending, unanswered == 1 {
                head.headers.add(name: "connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            unanswered -= 1
            if phase == .ending, unanswered == 0 { (phase, isReading) = (.finished, false) }
            writeEnd(context, data, promise)
        default:
            context.write(data, promise: promise)
        }
    }

    private func writeEnd(_ context: ChannelHandlerContext, _ end: NIOAny, _ promise: EventLoopPromise<Void>?) {
        unwritten += 1
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.unwritten -= 1
            self.closeIfDone(context)
        }
        context.write(end, promise: written)
        if phase == .finished { context.flush() }
    }

    // MARK: The end

    /// Closes what should be closed, once all responses are written.
    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard unwritten == 0 else { return }
        let closing = closing
        self.closing = []
        for (mode, promise) in closing { context.close(mode: mode, promise: promise) }
        guard isDiscarding, unanswered == 0, context.channel.isActive else { return }
        if isInputClosed || isUpgrade { return context.close(promise: nil) }
        // To close at once while the client sends would reset the connection, and the client would lose the response.
        context.close(mode: .output, promise: nil)
        context.read()
        closeAtLatest(context)
    }

    private func closeAtLatest(_ context: ChannelHandlerContext) {
        if deadline != nil { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.grace) { context.close(promise: nil) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if unwritten == 0 || mode == .input {
            context.close(mode: mode, promise: promise)
        } else {
            closing.append((mode, promise))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            if isReading || unanswered > 0 || unwritten > 0 {
                if phase == .open { phase = .ending }
                closeAtLatest(context)
            } else {
                context.close(promise: nil)
            }
        case IdleStateHandler.IdleStateEvent.read:
            closeIfStuck(context)
        default:
            if case ChannelEvent.inputClosed = event { isInputClosed = true }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Closes a connection on which nothing arrived for a while, unless the client still waits or reads.
    private func closeIfStuck(_ context: ChannelHandlerContext) {
        let before = unwrittenBytes
        unwrittenBytes = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if unwrittenBytes == 0 {
            // The response to a request that was read may take its time: a stream of changes has no end.
            if unanswered <= (isReading ? 1 : 0) { context.close(promise: nil) }
        } else if before > 0, unwrittenBytes >= before {
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}

extension HTTPRequestHead {
    /// Whether the connection would no longer be one of HTTP/1.1 after this request.
    fileprivate var asksForAnotherProtocol: Bool {
        method == .CONNECT
            || headers.contains(name: "upgrade")
                && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }

    /// Whether other servers on the way may read the host or the end of the body differently, which the decoder does
    /// not notice (RFC 9112, sections 3.2 and 6.1).
    fileprivate var isAmbiguous: Bool {
        var hosts = 0
        for (name, value) in headers {
            switch name.utf8.count {
            case 4 where name.lowercased() == "host":
                hosts += 1
            case 17 where name.lowercased() == "transfer-encoding":
                if version == .http1_0 || value.lowercased() != "chunked" { return true }
            default:
                break
            }
        }
        return hosts > 1 || hosts == 0 && version != .http1_0
    }
}
