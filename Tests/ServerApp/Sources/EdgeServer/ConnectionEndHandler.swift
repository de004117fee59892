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
    /// last response. A response waits for a ledger for less.
    private static let grace = TimeAmount.seconds(5)
    /// How long an idle connection stays open during the shutdown, for a request that is on its way.
    private static let drainTime = TimeAmount.milliseconds(500)

    private enum Phase {
        case open
        /// The connection ends after the next request.
        case draining
        /// The connection ends after the requests that were read so far.
        case ending
        /// The last response is complete.
        case finished
    }

    private let bodyLimit: Int
    private let surplusBytes: SurplusHandler
    private var phase = Phase.open
    /// Whether a request was read in part.
    private var isReading = false
    /// Whether the request that is being read ends in an error.
    private var hasFailed = false
    /// Requests whose responses are not complete.
    private var unanswered = 0
    /// Bytes of a body that arrived after the response.
    private var surplus = 0
    /// Responses whose ends are not written to the socket yet.
    private var unwritten = 0
    /// What was written when the connection was idle for the last time: complete responses, and bytes that waited.
    private var progress = (responses: 0, unwrittenBytes: 0)
    private var writtenResponses = 0
    /// Whether the request that is being read asks for another protocol.
    private var isUpgrade = false
    /// Whether the last request is one of HTTP/1.0.
    private var isOld = false
    private var isInputClosed = false
    /// Whether the response that is being written has no end of its own.
    private var isStreaming = false
    private var isOutputClosed = false
    /// Closes the connection at the latest.
    private var deadline: Scheduled<Void>?
    /// What others wanted to close before all responses were written.
    private var closing: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []

    /// - Parameters:
    ///   - bodyLimit: the bytes of a body that are read at most after the response to its request.
    ///   - surplusBytes: the handler in front of the decoder.
    init(bodyLimit: Int, surplusBytes: SurplusHandler) {
        self.bodyLimit = bodyLimit
        self.surplusBytes = surplusBytes
    }

    /// Whether no further request is answered.
    var isOver: Bool { phase == .finished }

    /// Whether everything that arrives is discarded.
    private var isDiscarding: Bool { isOver || phase == .ending && !isReading }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        surplusBytes.undecodedCount = 0
        // The decoder reads no request after this one, and would keep all that arrives.
        if case .end = part, isUpgrade { surplusBytes.areDiscarded = true }
        if isDiscarding { return }
        switch part {
        case .head(let head):
            unanswered += 1
            surplus = 0
            isUpgrade = head.asksForAnotherProtocol
            isOld = head.version == .http1_0
            if phase == .draining || !head.isKeepAlive || isUpgrade || isOld { phase = .ending }
            if head.isAmbiguous {
                phase = .ending
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            isReading = true
        case .body(let bytes):
            if unanswered == 0 {
                surplus += bytes.readableBytes
                if surplus > bodyLimit { return finish(context) }
            }
        case .end:
            isReading = false
        }
        context.fireChannelRead(data)
        if phase == .ending { closeIfDone(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The task that reads requests may have stopped.
        if isDiscarding, unanswered == 0, !isInputClosed { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isDiscarding { return }
        // The request was answered already, so the error needs no response.
        if isReading, unanswered == 0 { return finish(context) }
        hasFailed = isReading
        context.fireErrorCaught(error)
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isOver {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head where hasFailed && unanswered == 0:
            // The error came while responses to earlier requests were due, and its own request was rejected since.
            promise?.fail(ChannelError.outputClosed)
            finish(context)
        case .head(var head) where head.status.code >= 200:
            if head.headers[canonicalForm: "connection"].contains("close") {
                // The rest of its request is not read, nor are others.
                (phase, unanswered) = (.ending, 1)
            } else if phase == .ending, unanswered == 1 {
                head.headers.add(name: "connection", value: "close")
            }
            if isOld, unanswered == 1 {
                // Its body ends with the connection.
                head.version = .http1_0
                head.headers.remove(name: "transfer-encoding")
            }
            isStreaming = head.headers.first(name: "content-type") == "text/event-stream"
            if !head.headers.contains(name: "date") { head.headers.add(name: "date", value: ServerDate.current) }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            unanswered -= 1
            isStreaming = false
            if phase == .ending, unanswered == 0 { phase = .finished }
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
            self.writtenResponses += 1
            self.closeIfDone(context)
        }
        context.write(end, promise: written)
        if isOver { context.flush() }
    }

    // MARK: The end

    private func finish(_ context: ChannelHandlerContext) {
        phase = .finished
        closeIfDone(context)
    }

    /// Closes what should be closed, once all responses are written.
    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard unwritten == 0 else { return }
        let closing = closing
        self.closing = []
        for (mode, promise) in closing { context.close(mode: mode, promise: promise) }
        guard isDiscarding, unanswered == 0, context.channel.isActive else { return }
        if isInputClosed { return context.close(promise: nil) }
        if isOutputClosed { return }
        isOutputClosed = true
        // To close at once while the client sends would reset the connection, and the client would lose the response.
        context.close(mode: .output, promise: nil)
        context.read()
        close(context, atLatestIn: Self.grace)
    }

    private func close(_ context: ChannelHandlerContext, atLatestIn time: TimeAmount) {
        if deadline != nil { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
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
            let isIdle = !isReading && unanswered == 0 && unwritten == 0
            if phase == .open { phase = isIdle ? .draining : .ending }
            if isIdle {
                drain(context)
            } else {
                close(context, atLatestIn: Self.grace)
            }
        case IdleStateHandler.IdleStateEvent.read:
            closeIfStuck(context)
        default:
            if case ChannelEvent.inputClosed = event {
                isInputClosed = true
                // A client that closes one direction while it receives a stream has gone.
                if isStreaming { context.close(promise: nil) }
            }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Closes an idle connection soon, unless a request arrives.
    private func drain(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.drainTime) {
            if self.phase == .draining {
                context.close(promise: nil)
            } else {
                self.close(context, atLatestIn: Self.grace)
            }
        }
    }

    /// Closes a connection on which nothing arrived for a while, unless the client still waits or reads.
    private func closeIfStuck(_ context: ChannelHandlerContext) {
        let before = progress
        let bytes = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        progress = (writtenResponses, bytes)
        if bytes == 0 {
            // The response to a request that was read may take its time: a stream of changes has no end.
            if unanswered <= (isReading ? 1 : 0) { context.close(promise: nil) }
        } else if before.unwrittenBytes > 0, bytes >= before.unwrittenBytes, before.responses == writtenResponses {
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
                let host = value.utf8.trimmingEnd
                if host.isEmpty || !host.allSatisfy(Self.isOfHost) { return true }
            case 17 where name.lowercased() == "transfer-encoding":
                let coding = value.lowercased().filter { $0 != " " && $0 != "\t" }
                if version == .http1_0 || coding != "chunked" { return true }
            default:
                break
            }
        }
        return hosts > 1 || hosts == 0 && version != .http1_0
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !#"/?#@<>\^`{|}""#.utf8.contains(byte)
    }
}

extension String.UTF8View {
    /// The text without white space behind it, which the decoder leaves to a field's value.
    fileprivate var trimmingEnd: Substring.UTF8View {
        var rest = self[...]
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        return rest
    }
}
