import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A connection as `HTTP1Channel` sets it up, with handlers of its own:
///
///     TLS ─ SurplusHandler ─ HTTPRequestDecoder ─ ConnectionHandler ─ HTTP1ToHTTPServerCodec ─ NIOAsyncChannel ─ task
///
/// `ConnectionHandler` encodes all responses, those of the task too.
struct EdgeChannel: HTTPChannelHandler {
    let evaluation: CountedEvaluation
    /// Clients that send or read nothing for so long are disconnected.
    let idleTimeout: TimeAmount
    let responder: Responder

    /// Header fields are bounded. These limits are above those of the protocol, which have statuses of their own.
    private static var limits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 32_768
        limits.maxHeaderListSize = 32_768
        limits.maxHeaderFieldCount = 200
        return limits
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<EdgeConnection> {
        channel.eventLoop.makeCompletedFuture {
            // Connections take turns: one that sends many requests at once is read in small parts.
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            try channel.syncOptions?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
            let pipeline = channel.pipeline.syncOperations
            let surplusBytes = SurplusHandler()
            try pipeline.addHandler(surplusBytes)
            try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: Self.limits)))
            try pipeline.addHandler(
                ConnectionHandler(evaluation: evaluation, idleTimeout: idleTimeout, surplusBytes: surplusBytes))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return EdgeConnection(
                try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
        }
    }

    func handle(value: EdgeConnection, logger: Logger) async {
        await handleHTTP(asyncChannel: value.take(), logger: logger)
    }
}
