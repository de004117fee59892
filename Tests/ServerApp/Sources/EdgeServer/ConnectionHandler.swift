import ConvertRemoteEvaluation
import NIOCore
import NIOHTTP1

/// Serves a connection between the decoder of its requests and the task that waits for them.
///
/// It answers requests of the protocol on the connection's own event loop if they need not wait for a ledger, and
/// passes all others on. An evaluation takes less time than handing a request to a task and its response back. It also
/// rejects requests before their bodies arrive, and asks clients that wait for their bodies.
///
/// Requests are served one by one, since responses have the order of their requests. No more is read while a complete
/// request is not answered.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = IOData

    enum Phase {
        case open
        /// The connection ends after the next request, or soon without one.
        case draining
        /// The connection ends after the requests that were read so far.
        case ending
        /// The last response is complete.
        case finished
    }

    /// What happens to the request that is being served and is not complete.
    private enum Treatment {
        /// There is no such request.
        case nothing
        /// Nothing was done about it yet.
        case held
        /// It is answered here when its body is there.
        case awaited
        case passedOn
        /// It was answered already, or is not answered at all.
        case rejected
    }

    private let evaluation: CountedEvaluation
    private let surplusBytes: SurplusHandler
    let idleTimeout: TimeAmount
    var phase = Phase.open

    /// Whether a request has arrived in part. It may be a later one than that which is being served.
    var isArriving = false
    /// Whether the request that is being read ends in an error.
    var hasFailed = false
    /// Requests that will get a response and have not got it completely. A malformed request of which no head was read
    /// does not count.
    var unanswered = 0
    /// Bytes of a body that arrived after the response.
    private var surplus = 0
    /// Whether the request that is being read asks for another protocol.
    private var isUpgrade = false
    /// Whether the last request is one of HTTP/1.0.
    var isOld = false
    var isInputClosed = false
    /// When the last part of a request arrived.
    var lastRead = NIODeadline.now()

    private var treatment = Treatment.nothing
    /// The request that is held or awaited.
    private var request: (head: HTTPRequestHead, body: ByteBuffer)?
    /// Whether the response to the request that is being served is not complete.
    var isResponseDue = false
    /// Whether no further request is passed on, because the task closes the connection.
    private var isTaskOver = false
    /// What arrived while a complete request was not answered.
    var waiting = CircularBuffer<Result<HTTPServerRequestPart, HTTPParserError>>(initialCapacity: 0)
    private var isEndWaiting = false
    private var isReadWaiting = false
    /// Whether parts were passed on since the task was asked to take them.
    private var hasPassedOn = false

    /// Encodes the task's responses.
    let encoder = HTTPResponseEncoder()
    /// Whether the response that is being written has no end of its own.
    var isStreaming = false
    /// Responses whose ends are not written to the socket yet.
    var unwritten = 0
    var writtenResponses = 0
    /// What was written when the connection was idle for the last time: complete responses, and bytes that waited.
    var progress = (responses: 0, unwrittenBytes: 0)

    var isOutputClosed = false
    /// Closes the connection at the latest.
    var deadline: Scheduled<Void>?
    var idleCheck: Scheduled<Void>?
    /// What others wanted to close before all responses were written.
    var closing: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []

    /// - Parameters:
    ///   - idleTimeout: clients that send or read nothing for so long are disconnected.
    ///   - surplusBytes: the handler in front of the decoder.
    init(evaluation: CountedEvaluation, idleTimeout: TimeAmount, surplusBytes: SurplusHandler) {
        self.evaluation = evaluation
        self.idleTimeout = idleTimeout
        self.surplusBytes = surplusBytes
    }

    /// Whether no further request is answered.
    var isOver: Bool { phase == .finished }

    /// Whether everything that arrives is discarded.
    var isDiscarding: Bool { isOver || phase == .ending && !isArriving }

    /// Whether a complete request is not answered.
    private var isWaiting: Bool { isResponseDue && treatment == .nothing }

    // MARK: What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        lastRead = .now()
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
                return fail(HTTPParserError.invalidHeaderToken, context)
            }
            isArriving = true
        case .body(let bytes):
            if unanswered == 0 {
                surplus += bytes.readableBytes
                if surplus > evaluation.bodyLimit { return finish(context) }
            }
        case .end:
            isArriving = false
        }
        if isWaiting { wait(.success(part)) } else { serve(part, context) }
        // The request may have been answered before it was complete, so that no response will end the connection.
        if phase == .ending { closeIfDone(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        completeRead(context)
        // The task that reads requests may have stopped, and it does not read while it streams.
        if isDiscarding, unanswered == 0, !isInputClosed { context.read() }
        readBesideStream(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isDiscarding { return }
        // The request was answered already, so the error needs no response.
        if isArriving, unanswered == 0 { return finish(context) }
        hasFailed = isArriving
        // No request is read after it, and the decoder would raise another error, which would overtake responses.
        surplusBytes.areDiscarded = true
        fail(error, context)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        if let error = error as? HTTPParserError {
            if isWaiting { return wait(.failure(error)) }
            // The task responds to it like to a complete request.
            if !isResponseDue, !isTaskOver { (treatment, isResponseDue) = (.nothing, true) }
        }
        context.fireErrorCaught(error)
    }

    private func wait(_ part: Result<HTTPServerRequestPart, HTTPParserError>) {
        waiting.append(part)
        surplusBytes.isHolding = true
    }

    func closeInput(_ context: ChannelHandlerContext) {
        isInputClosed = true
        endAbandonedStream(context)
        isEndWaiting = true
        serveWaiting(context)
    }

    /// Reads while a stream is sent and nothing waits: the end of TLS is not seen without reading.
    func readBesideStream(_ context: ChannelHandlerContext) {
        if isStreaming, waiting.isEmpty, !isInputClosed { context.read() }
    }

    func read(context: ChannelHandlerContext) {
        if isWaiting { isReadWaiting = true } else { context.read() }
    }

    /// Serves what arrived while a request was not answered.
    func serveWaiting(_ context: ChannelHandlerContext) {
        var hasServed = false
        while !isWaiting, let arrived = waiting.popFirst() {
            hasServed = true
            switch arrived {
            case .success(let part): serve(part, context)
            case .failure(let error): fail(error, context)
            }
        }
        if hasServed { completeRead(context) }
        if !isWaiting { surplusBytes.release() }
        if isEndWaiting, waiting.isEmpty {
            (isEndWaiting, isReadWaiting) = (false, false)
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadWaiting, !isWaiting {
            isReadWaiting = false
            context.read()
        }
    }

    /// Discards what waits: the task closes the connection.
    func taskDidEnd(_ context: ChannelHandlerContext) {
        waiting.removeAll()
        (isTaskOver, isResponseDue, isEndWaiting) = (true, false, false)
        serveWaiting(context)
    }

    // MARK: Requests

    private func serve(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(var head):
            if isTaskOver { return }
            isResponseDue = true
            head.takeOriginForm()
            // It must not be executed if its response would not be sent.
            (treatment, request) = isOver ? (.rejected, nil) : (.held, (head, ByteBuffer()))
        case .body(var bytes) where request != nil:
            if request?.body.readableBytes == 0 { request?.body = bytes } else { request?.body.writeBuffer(&bytes) }
        case .end where request != nil:
            treatment = .nothing
            answer(context, end: part)
        case .body, .end:
            if treatment == .passedOn { passOn(part, context) }
            if case .end = part { treatment = .nothing }
        }
    }

    private func completeRead(_ context: ChannelHandlerContext) {
        if treatment == .held { begin(context) }
        context.flush()
        if hasPassedOn { context.fireChannelReadComplete() }
        hasPassedOn = false
    }

    /// Decides about a request whose body is not complete.
    private func begin(_ context: ChannelHandlerContext) {
        guard case (var head, let body)? = request else { return }
        // HTTP/1.0 has no interim responses.
        let awaitsContinue = head.version != .http1_0 && body.readableBytes == 0 && head.awaitsContinue
        head.headers.remove(name: "expect")
        let isShort = head.contentLength.map { $0 <= evaluation.bodyLimit } ?? false
        if CountedEvaluation.serves(head.uri),
            let refusal = evaluation.refusal(ofHead: RemoteEvaluationRequest(head, ByteBuffer()))
        {
            (treatment, request) = (.rejected, nil)
            // A client that waits may send the body, or the next request.
            return respond(refusal, to: head, context, endsConnection: awaitsContinue || !isShort)
        }
        if awaitsContinue, !isOver { encode(.head(.init(version: .http1_1, status: .continue)), context, nil) }
        request = (head, body)
        if isShort, isAnsweredHere(head, context) {
            treatment = .awaited
        } else {
            treatment = .passedOn
            passOnRequest(context)
        }
    }

    private func answer(_ context: ChannelHandlerContext, end: HTTPServerRequestPart) {
        guard let (head, body) = request else { return }
        if isAnsweredHere(head, context),
            let response = evaluation.respondImmediately(to: RemoteEvaluationRequest(head, body))
        {
            request = nil
            respond(response, to: head, context)
        } else {
            passOnRequest(context)
            passOn(end, context)
        }
    }

    /// Whether a request evaluates something, and the client reads what it is sent.
    private func isAnsweredHere(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
        evaluation.respondsImmediately && head.method == .POST && CountedEvaluation.serves(head.uri)
            && context.channel.isWritable
    }

    private func passOnRequest(_ context: ChannelHandlerContext) {
        guard let (head, body) = request else { return }
        request = nil
        passOn(.head(head), context)
        if body.readableBytes > 0 { passOn(.body(body), context) }
    }

    private func passOn(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        hasPassedOn = true
        context.fireChannelRead(wrapInboundOut(part))
    }
}

extension RemoteEvaluationRequest {
    fileprivate init(_ head: HTTPRequestHead, _ body: ByteBuffer) {
        self.init(
            method: head.method.rawValue, path: head.uri, headers: Array(head.headers),
            body: Array(body.readableBytesView))
    }
}
