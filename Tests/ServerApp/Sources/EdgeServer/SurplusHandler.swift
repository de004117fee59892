import NIOCore
import NIOHTTP1

/// Limits and discards bytes in front of the decoder.
final class SurplusHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The bytes from which the decoder may make nothing. It keeps them, and its own limits do not count white space in
    /// header fields.
    private static let limit = 65_536

    /// Whether what arrives is discarded, because no further request is answered. It is read nevertheless: to close a
    /// connection with bytes that were not read resets it, and the client would lose responses.
    var areDiscarded = false
    /// The bytes that arrived since the decoder made something of them.
    var undecodedCount = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if areDiscarded { return }
        undecodedCount += unwrapInboundIn(data).readableBytes
        if undecodedCount > Self.limit {
            areDiscarded = true
            context.fireErrorCaught(HTTPParserError.headerOverflow)
        } else {
            context.fireChannelRead(data)
        }
    }
}
