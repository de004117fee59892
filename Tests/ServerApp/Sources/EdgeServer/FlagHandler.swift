import ConvertRemoteEvaluation
import NIOCore
import NIOHTTP1

/// Answers requests of the protocol on the connection's own event loop if they need not wait for a ledger, and passes
/// all others on. An evaluation takes less time than handing a request to a task and its response back.
///
/// It also closes idle connections, since only it sees all requests.
final class FlagHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let remote: RemoteEvaluationService
    /// The request that is being read to be answered here.
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    /// Whether a request was read in part.
    private var isReading = false
    /// Requests that were passed on and not answered yet. While there are any, all are passed on, because responses
    /// have the order of their requests.
    private var passedOn = 0
    private var isShuttingDown = false

    init(remote: RemoteEvaluationService) { self.remote = remote }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isReading = true
            if passedOn == 0, context.channel.isWritable, isAnsweredHere(head) {
                self.head = head
            } else {
                passedOn += 1
                context.fireChannelRead(data)
            }
        case .body(var part):
            if head == nil {
                context.fireChannelRead(data)
            } else if body.readableBytes == 0 {
                body = part
            } else {
                body.writeBuffer(&part)
            }
        case .end:
            isReading = false
            guard let head else { return context.fireChannelRead(data) }
            answer(head, context, end: data)
        }
    }

    /// Whether a request is small, evaluates something, and keeps the connection open.
    private func isAnsweredHere(_ head: HTTPRequestHead) -> Bool {
        guard head.method == .POST, head.version == .http1_1, RemoteEvaluationService.serves(head.uri) else {
            return false
        }
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
        let request = RemoteEvaluationRequest(
            method: "POST", path: head.uri, headers: Array(head.headers), body: Array(body.readableBytesView))
        guard let response = remote.respondImmediately(to: request) else {
            passedOn += 1
            context.fireChannelRead(wrapInboundOut(.head(head)))
            if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
            return context.fireChannelRead(end)
        }
        let bytes = response.bodyBytes
        var headers = HTTPHeaders(response.headers)
        headers.add(name: "content-length", value: "\(bytes.count)")
        headers.add(name: "date", value: ServerDate.current)
        let responseHead = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(wrapOutboundOut(.head(responseHead)), promise: nil)
        if !bytes.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        }
        finishResponse(context, wrapOutboundOut(.end(nil)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        // A request that could not be read is answered as well.
        passedOn = max(0, passedOn - 1)
        finishResponse(context, data, promise: promise)
    }

    private func finishResponse(_ context: ChannelHandlerContext, _ end: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isShuttingDown, passedOn == 0 else { return context.write(end, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
        context.writeAndFlush(end, promise: written)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isShuttingDown = true
            if !isReading && passedOn == 0 { context.close(promise: nil) }
        case IdleStateHandler.IdleStateEvent.read:
            // The response to a request that was read may take its time: a stream of changes has no end.
            if isReading || passedOn == 0 { context.close(promise: nil) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}
