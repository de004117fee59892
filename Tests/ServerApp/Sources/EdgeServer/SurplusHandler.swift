import NIOCore

/// Discards the bytes behind the last request of a connection, in front of the decoder.
final class SurplusHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Whether what arrives is discarded. It is read nevertheless: to close a connection with bytes that were not read
    /// resets it, and the client would lose responses.
    var areDiscarded = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !areDiscarded { context.fireChannelRead(data) }
    }
}
