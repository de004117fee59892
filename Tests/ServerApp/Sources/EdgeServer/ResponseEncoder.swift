import NIOCore
import NIOHTTP1

/// Encodes responses. One whose length is known, and whose parts are written together, becomes one buffer and so one
/// write of the socket; `HTTPResponseEncoder` encodes all others.
final class ResponseEncoder: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = IOData

    private let parts = HTTPResponseEncoder()
    /// The response that is being written, if its length is known: the bytes that were not passed on yet.
    private var response: ByteBuffer?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.hasKnownLength:
            var bytes = context.channel.allocator.buffer(capacity: 512)
            bytes.write(head)
            response = bytes
            if promise != nil { passOn(context, promise) }
        case .body(.byteBuffer(var body)) where response != nil:
            response?.writeBuffer(&body)
            if promise != nil { passOn(context, promise) }
        case .end where response != nil:
            passOn(context, promise)
            response = nil
        default:
            parts.write(context: context, data: data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        if response?.readableBytes ?? 0 > 0 { passOn(context, nil) }
        context.flush()
    }

    private func passOn(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard let bytes = response else { return }
        response = ByteBuffer()
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
    }
}

extension HTTPResponseHead {
    fileprivate var hasKnownLength: Bool {
        status.mayHaveResponseBody && version == .http1_1 && headers.contains(name: "content-length")
            && !headers.contains(name: "transfer-encoding")
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ head: HTTPResponseHead) {
        writeString("HTTP/1.1 ")
        writeString(String(head.status.code))
        writeString(" ")
        writeString(head.status.reasonPhrase)
        writeString("\r\n")
        for (name, value) in head.headers {
            writeString(name)
            writeString(": ")
            writeString(value)
            writeString("\r\n")
        }
        writeString("\r\n")
    }
}
