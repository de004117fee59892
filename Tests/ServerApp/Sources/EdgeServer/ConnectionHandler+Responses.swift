import ConvertRemoteEvaluation
import NIOCore
import NIOHTTP1

extension ConnectionHandler {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        switch part {
        case _ where isOver:
            promise?.fail(ChannelError.outputClosed)
        case .head where hasFailed && unanswered == 0:
            // The error came while responses to earlier requests were due, and its own request was rejected since.
            promise?.fail(ChannelError.outputClosed)
            finish(context)
        case .head(var head) where head.status.code >= 200:
            if head.headers[canonicalForm: "connection"].contains("close") {
                endAfterResponse()
            } else if isLastResponse {
                head.headers.add(name: "connection", value: "close")
            }
            if isOldResponse {
                // Its body ends with the connection.
                head.version = .http1_0
                head.headers.remove(name: "transfer-encoding")
            }
            isStreaming = head.headers.first(name: "content-type") == "text/event-stream"
            if !head.headers.contains(name: "date") { head.headers.add(name: "date", value: ServerDate.current) }
            encode(.head(head), context, promise)
            readBesideStream(context)
        case .end:
            isStreaming = false
            encode(part, context, countResponse(context, promise))
            if isOver { context.flush() }
        default:
            encode(part, context, promise)
            endAbandonedStream(context)
        }
        if case .end = part {
            isResponseDue = false
            serveWaiting(context)
        }
    }

    func encode(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        encoder.write(context: context, data: NIOAny(part), promise: promise)
    }

    /// Writes the response to a request that was not passed on: one buffer, and so one write of the socket.
    ///
    /// - Parameter endsConnection: whether the rest of the request is not read.
    func respond(
        _ response: RemoteEvaluationResponse, to request: HTTPRequestHead, _ context: ChannelHandlerContext,
        endsConnection: Bool = false
    ) {
        isResponseDue = false
        if isOver { return }
        if endsConnection { endAfterResponse() }
        let status = HTTPResponseStatus(statusCode: response.status)
        let body = response.bodyBytes
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + body.count)
        bytes += (isOldResponse ? "HTTP/1.0 " : "HTTP/1.1 ").utf8
        bytes += String(status.code).utf8
        bytes += " ".utf8
        bytes += status.reasonPhrase.utf8
        for (name, value) in response.headers { bytes.appendField(name, value) }
        if status.mayHaveResponseBody { bytes.appendField("content-length", String(body.count)) }
        if isLastResponse { bytes.appendField("connection", "close") }
        bytes.appendField("date", ServerDate.current)
        bytes += "\r\n\r\n".utf8
        if request.method != .HEAD { bytes += body }
        context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(bytes: bytes))), promise: countResponse(context, nil))
        if isOver { context.flush() }
    }

    /// Whether the next response that is written is one of HTTP/1.0.
    private var isOldResponse: Bool { isOld && unanswered == 1 }

    /// Whether the next response that is written is the last one.
    private var isLastResponse: Bool { phase == .ending && unanswered == 1 }

    /// Makes the response that is being written the last one. Earlier ones are complete and later requests are not
    /// answered, so it counts as the only one.
    private func endAfterResponse() { (phase, unanswered) = (.ending, 1) }

    /// Counts a complete response now, and again when it is written.
    private func countResponse(
        _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) -> EventLoopPromise<Void> {
        if isLastResponse { phase = .finished }
        unanswered -= 1
        unwritten += 1
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.unwritten -= 1
            self.writtenResponses += 1
            self.closeIfDone(context)
        }
        return written
    }
}

extension [UInt8] {
    fileprivate mutating func appendField(_ name: String, _ value: String) {
        self += "\r\n".utf8
        self += name.utf8
        self += ": ".utf8
        self += value.utf8
    }
}
