import NIOCore
import NIOHTTP1

/// Holds, limits and discards bytes in front of the decoder.
final class SurplusHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The client sends no more, and some of its bytes are held.
    struct InputEnd {}

    /// The bytes from which the decoder may make nothing. It keeps them, and its own limits do not count white space in
    /// header fields.
    private static let undecodedLimit = 65_536
    /// The bytes that are held. What arrives after them is discarded.
    private static let heldLimit = 524_288

    /// Whether what arrives is discarded, because no further request is answered. It is read nevertheless: to close a
    /// connection with bytes that were not read resets it, and the client would lose responses.
    var areDiscarded = false
    /// The bytes that arrived since the decoder made something of them.
    var undecodedCount = 0
    /// Whether what arrives is held, because requests wait. Usually nothing arrives then, since nothing is read. But
    /// everything is read at once from a client that closes its direction, and decoded requests take many times the
    /// memory of their bytes.
    var isHolding = false
    private var held = CircularBuffer<ByteBuffer>(initialCapacity: 0)
    private var heldCount = 0
    /// Whether bytes were discarded for lack of room, so that later ones must not follow those that are held.
    private var isCut = false
    private var isEndHeld = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isCut { return }
        let bytes = unwrapInboundIn(data)
        if !isHolding { return passOn(bytes, context) }
        heldCount += bytes.readableBytes
        isCut = heldCount > Self.heldLimit
        if !isCut { held.append(bytes) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event, !held.isEmpty else {
            return context.fireUserInboundEventTriggered(event)
        }
        isEndHeld = true
        context.fireUserInboundEventTriggered(InputEnd())
    }

    /// Passes on what is held, until requests wait again.
    func release() {
        isHolding = false
        guard let context, !held.isEmpty else { return }
        while !isHolding, let bytes = held.popFirst() {
            heldCount -= bytes.readableBytes
            passOn(bytes, context)
        }
        context.fireChannelReadComplete()
        if held.isEmpty, isEndHeld {
            isEndHeld = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    private func passOn(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if areDiscarded { return }
        undecodedCount += bytes.readableBytes
        if undecodedCount > Self.undecodedLimit {
            areDiscarded = true
            context.fireErrorCaught(HTTPParserError.headerOverflow)
        } else {
            context.fireChannelRead(wrapInboundOut(bytes))
        }
    }
}
