import ConvertRemoteEvaluation
import NIOCore
import NIOHTTP1

/// Answers requests of the protocol on the connection's own event loop if they need not wait for a ledger, and passes
/// all others on. An evaluation takes less time than handing a request to a task and its response back.
///
/// It also ends connections, since only it sees all requests and responses: idle ones, those of clients that do not
/// read, those after a last response, and all of them when the server shuts down.
final class FlagHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a connection that should end may take: to finish a request during the shutdown, or to close after its
    /// last response.
    static let grace = TimeAmount.seconds(5)

    private let remote: CountedEvaluation
    private let respondsImmediately: Bool

    /// The request that is being read to be answered here.
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    /// Whether the client was asked for the body, or need not be.
    private var isHeadChecked = false
    /// Whether a request was read in part.
    private var isReading = false
    /// Whether the request that is being read was answered already.
    private var isSkipping = false

    /// Requests that were passed on and not answered yet. While there are any, all are passed on, because responses
    /// have the order of their requests.
    private var unansweredElsewhere = 0
    /// Responses whose ends are not written to the socket yet.
    private var unwritten = 0
    /// Bytes that waited to be written when the connection was idle for the last time.
    private var unwrittenBytes = 0

    /// Whether the connection ends after the requests that were read so far.
    private var isLast = false
    /// Whether the last request asks for another protocol. The decoder reads no request after it, and would keep all
    /// that arrives, so nothing more is read.
    private var isUpgrade = false
    /// Whether everything that arrives is discarded.
    private var isDiscarding = false
    /// Whether the response that announced the end of the connection is complete.
    private var isFinished = false
    private var isInputClosed = false
    /// Closes the connection at the latest.
    private var deadline: Scheduled<Void>?
    /// What others wanted to close before all responses were written.
    private var closing: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []

    init(remote: CountedEvaluation) {
        self.remote = remote
        respondsImmediately = remote.remote.respondsImmediately
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDiscarding { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isReading = true
            if head.asksForAnotherProtocol { isUpgrade = true }
            if !head.isKeepAlive || isUpgrade { isLast = true }
            if unansweredElsewhere == 0, context.channel.isWritable, isAnsweredHere(head) {
                self.head = head
            } else {
                unansweredElsewhere += 1
                context.fireChannelRead(data)
            }
        case .body(var part):
            if isSkipping { return }
            if head == nil {
                context.fireChannelRead(data)
            } else if body.readableBytes == 0 {
                body = part
            } else {
                body.writeBuffer(&part)
            }
        case .end:
            isReading = false
            isHeadChecked = false
            if isLast { isDiscarding = true }
            if isSkipping {
                isSkipping = false
                closeIfDone(context)
            } else if let head {
                answer(head, context, end: data)
            } else {
                context.fireChannelRead(data)
            }
        }
    }

    /// Whether a request is small, evaluates something, and keeps the connection open.
    private func isAnsweredHere(_ head: HTTPRequestHead) -> Bool {
        guard respondsImmediately, head.method == .POST, head.version == .http1_1, CountedEvaluation.serves(head.uri)
        else { return false }
        var length: Int?
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 14 where name.lowercased() == "content-length": length = Int(value)
            case 10 where name.lowercased() == "connection": if value.lowercased() != "keep-alive" { return false }
            default: break
            }
        }
        return length.map { $0 <= remote.bodyLimit } ?? false
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext, end: NIOAny) {
        let body = body
        (self.head, self.body) = (nil, ByteBuffer())
        let request = RemoteEvaluationRequest(head, body: Array(body.readableBytesView))
        guard let response = remote.respondImmediately(to: request) else {
            unansweredElsewhere += 1
            context.fireChannelRead(wrapInboundOut(.head(head)))
            if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
            return context.fireChannelRead(end)
        }
        write(response, context)
    }

    /// Rejects a request without waiting for its body, or asks the client for the body.
    private func checkHead(of head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isHeadChecked = true
        let awaitsContinue = head.awaitsContinue
        if let refusal = remote.refusal(ofHead: RemoteEvaluationRequest(head, body: [])) {
            (self.head, body) = (nil, ByteBuffer())
            // A client that waits may send the body, or the next request.
            if awaitsContinue { (isLast, isDiscarding, isReading) = (true, true, false) } else { isSkipping = true }
            write(refusal, context)
        } else if awaitsContinue, body.readableBytes == 0 {
            context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let head, !isHeadChecked { checkHead(of: head, context) }
        context.flush()
        context.fireChannelReadComplete()
        // The task that reads requests may have stopped.
        if isDiscarding, !isInputClosed { read(context: context) }
    }

    func read(context: ChannelHandlerContext) { if !isDiscarding || !isUpgrade { context.read() } }

    // MARK: Responses

    private func write(_ response: RemoteEvaluationResponse, _ context: ChannelHandlerContext) {
        let bytes = response.bodyBytes
        var headers = HTTPHeaders(response.headers)
        headers.add(name: "content-length", value: "\(bytes.count)")
        headers.add(name: "date", value: ServerDate.current)
        if isLast { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !bytes.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        }
        writeEnd(context, wrapOutboundOut(.end(nil)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isFinished {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            // A response announces the end if the rest of its request is not read.
            if head.headers[canonicalForm: "connection"].contains("close") {
                (isLast, unansweredElsewhere) = (true, 1)
            } else if isLast, unansweredElsewhere <= 1 {
                head.headers.add(name: "connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            // A request that could not be read is answered as well.
            unansweredElsewhere = max(0, unansweredElsewhere - 1)
            if isLast, unansweredElsewhere == 0 {
                (isDiscarding, isFinished, isReading) = (true, true, false)
            }
            writeEnd(context, data, promise: promise)
        default:
            context.write(data, promise: promise)
        }
    }

    private func writeEnd(_ context: ChannelHandlerContext, _ end: NIOAny, promise: EventLoopPromise<Void>?) {
        unwritten += 1
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.unwritten -= 1
            self.closeIfDone(context)
        }
        if isDiscarding {
            context.writeAndFlush(end, promise: written)
        } else {
            context.write(end, promise: written)
        }
    }

    // MARK: The connection's end

    /// Closes what should be closed, once all responses are written.
    private func closeIfDone(_ context: ChannelHandlerContext) {
        guard unwritten == 0 else { return }
        let closing = closing
        self.closing = []
        for (mode, promise) in closing { context.close(mode: mode, promise: promise) }
        guard isDiscarding, unansweredElsewhere == 0, context.channel.isActive else { return }
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
            isLast = true
            if isReading || unansweredElsewhere > 0 || unwritten > 0 {
                if !isReading { isDiscarding = true }
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
            if isReading || unansweredElsewhere == 0 { context.close(promise: nil) }
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

    /// Whether the client waits for a status before it sends the body.
    fileprivate var awaitsContinue: Bool {
        headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
}

extension RemoteEvaluationRequest {
    fileprivate init(_ head: HTTPRequestHead, body: [UInt8]) {
        self.init(method: head.method.rawValue, path: head.uri, headers: Array(head.headers), body: body)
    }
}
