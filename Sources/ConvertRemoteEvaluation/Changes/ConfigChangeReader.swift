import ConvertConcurrency

/// The pending output of one stream of config changes.
final class ConfigChangeReader: Sendable {
    private struct Pending {
        /// The tag of the newest config, if it was not sent to the reader yet.
        var tag: String?
        var isCommentDue = true
    }

    /// Wakes the reader.
    let signals: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let pending: Mutex<Pending>

    /// Creates a reader whose first chunk is available immediately: a comment, or the event if `notify` is called
    /// first.
    init(end: @escaping @Sendable () -> Void) {
        (signals, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        pending = Mutex(Pending())
        wake.onTermination = { _ in end() }
    }

    // The stream's owner may never iterate over it.
    deinit { wake.finish() }

    /// Makes an event pending.
    func notify(_ tag: String) {
        pending.withLock { $0.tag = tag }
        wake.yield()
    }

    /// Makes a comment pending, unless an event is pending.
    func keepAlive() {
        pending.withLock { $0.isCommentDue = true }
        wake.yield()
    }

    /// Ends the stream after the pending chunk.
    func finish() { wake.finish() }

    /// Takes the pending chunk; `nil` if no chunk is pending.
    func takeChunk() -> [UInt8]? {
        pending.withLock { pending in
            defer { pending = Pending(isCommentDue: false) }
            if let tag = pending.tag { return ServerSentEvent.refetch(tag) }
            return pending.isCommentDue ? ServerSentEvent.comment : nil
        }
    }
}
