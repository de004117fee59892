import ConvertRemoteEvaluation
import NIOCore
import NIOHTTP1

/// Answers requests of the protocol on the connection's own event loop if they need not wait for a ledger, and passes
/// all others on. An evaluation takes less time than handing a request to a task and its response back.
///
/// It also rejects requests before their bodies arrive, and asks clients that wait for their bodies. It sees one
/// request at a time.
final class FlagHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request that is being read.
    private enum Reading {
        case nothing
        /// Nothing was done about it yet.
        case held(HTTPRequestHead, ByteBuffer)
        /// It is answered here when its body is there.
        case awaited(HTTPRequestHead, ByteBuffer)
        case passedOn
        /// It was answered already, or is not answered at all.
        case rejected
    }

    private let evaluation: CountedEvaluation
    private let connection: ConnectionEndHandler
    private let respondsImmediately: Bool
    private var reading = Reading.nothing

    init(evaluation: CountedEvaluation, connection: ConnectionEndHandler) {
        self.evaluation = evaluation
        self.connection = connection
        respondsImmediately = evaluation.respondsImmediately
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), reading) {
        case (.head(var head), _):
            head.uri = head.originForm
            // It must not be executed if its response would not be sent.
            reading = connection.isOver ? .rejected : .held(head, ByteBuffer())
        case (.body(let part), .held(let head, var body)):
            // Nothing else refers to the body any more, so it grows in place.
            reading = .nothing
            body.append(part)
            reading = .held(head, body)
        case (.body(let part), .awaited(let head, var body)):
            reading = .nothing
            body.append(part)
            reading = .awaited(head, body)
        case (.end, .held(let head, let body)), (.end, .awaited(let head, let body)):
            answer(head, body, context, end: data)
        case (_, .passedOn):
            context.fireChannelRead(data)
        case (_, .nothing), (_, .rejected):
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .held(let head, let body) = reading { reading = begin(head, body, context) }
        context.flush()
        context.fireChannelReadComplete()
    }

    /// Decides about a request whose body is not complete.
    private func begin(_ head: HTTPRequestHead, _ body: ByteBuffer, _ context: ChannelHandlerContext) -> Reading {
        var head = head
        // HTTP/1.0 has no interim responses.
        let awaitsContinue = head.version != .http1_0 && body.readableBytes == 0 && head.awaitsContinue
        head.headers.remove(name: "expect")
        let isShort = head.contentLength.map { $0 <= evaluation.bodyLimit } ?? false
        if CountedEvaluation.serves(head.uri),
            let refusal = evaluation.refusal(ofHead: RemoteEvaluationRequest(head, ByteBuffer()))
        {
            // A client that waits may send the body, or the next request.
            write(refusal, to: head, context, endsConnection: awaitsContinue || !isShort)
            return .rejected
        }
        if awaitsContinue {
            context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
        if isShort, isAnsweredHere(head, context) { return .awaited(head, body) }
        passOn(head, body, context)
        return .passedOn
    }

    private func answer(_ head: HTTPRequestHead, _ body: ByteBuffer, _ context: ChannelHandlerContext, end: NIOAny) {
        // The next request arrives while the end of a response is written.
        reading = .nothing
        if isAnsweredHere(head, context),
            let response = evaluation.respondImmediately(to: RemoteEvaluationRequest(head, body))
        {
            write(response, to: head, context)
        } else {
            passOn(head, body, context)
            context.fireChannelRead(end)
        }
    }

    /// Whether a request evaluates something, and the client reads what it is sent.
    private func isAnsweredHere(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
        respondsImmediately && head.method == .POST && CountedEvaluation.serves(head.uri) && context.channel.isWritable
    }

    private func passOn(_ head: HTTPRequestHead, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
    }

    private func write(
        _ response: RemoteEvaluationResponse, to request: HTTPRequestHead, _ context: ChannelHandlerContext,
        endsConnection: Bool = false
    ) {
        let bytes = response.bodyBytes
        var headers = HTTPHeaders(response.headers)
        headers.add(name: "content-length", value: "\(bytes.count)")
        if endsConnection { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !bytes.isEmpty, request.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

extension HTTPRequestHead {
    /// Whether the client waits for a status before it sends the body.
    fileprivate var awaitsContinue: Bool {
        headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }

    /// The target without scheme and host, which it may begin with (RFC 9112, section 3.2.2).
    fileprivate var originForm: String {
        guard method != .CONNECT, !uri.hasPrefix("/"), let scheme = uri.firstRange(of: "://") else { return uri }
        let path = uri[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// The length of the body that the client announces; `nil` if it announces none, or more than any body has.
    fileprivate var contentLength: Int? { headers.first(name: "content-length").flatMap { Int($0) } }
}

extension RemoteEvaluationRequest {
    fileprivate init(_ head: HTTPRequestHead, _ body: ByteBuffer) {
        self.init(
            method: head.method.rawValue, path: head.uri, headers: Array(head.headers),
            body: Array(body.readableBytesView))
    }
}

extension ByteBuffer {
    fileprivate mutating func append(_ part: ByteBuffer) {
        var part = part
        if readableBytes == 0 { self = part } else { writeBuffer(&part) }
    }
}
