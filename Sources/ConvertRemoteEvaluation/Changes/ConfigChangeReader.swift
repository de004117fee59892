import ConvertConcurrency

/// What waits for the reader of one stream of config changes.
final class ConfigChangeReader: Sendable {
    private struct Pending {
        /// The tag of the newest config, if the reader has not had it.
        var tag: String?
        var isCommentDue = true
    }

    /// Wakes the reader up.
    let signals: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let pending: Mutex<Pending>

    /// A reader whose first chunk is due at once: the event for `tag` if there is one, otherwise a comment.
    init(tag: String?, end: @escaping @Sendable () -> Void) {
        (signals, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        pending = Mutex(Pending(tag: tag))
        wake.onTermination = { _ in end() }
    }

    // The stream's owner may never iterate over it.
    deinit { wake.finish() }

    /// Makes an event due.
    func tell(_ tag: String) {
        pending.withLock { $0.tag = tag }
        wake.yield()
    }

    /// Makes a comment due, unless an event is.
    func keepAlive() {
        pending.withLock { $0.isCommentDue = true }
        wake.yield()
    }

    /// Ends the stream behind what is due.
    func finish() { wake.finish() }

    /// What is due; `nil` if nothing is.
    func takeChunk() -> [UInt8]? {
        pending.withLock { pending in
            defer { pending = Pending(tag: nil, isCommentDue: false) }
            if let tag = pending.tag { return ServerSentEvent.refetch(tag) }
            return pending.isCommentDue ? ServerSentEvent.comment : nil
        }
    }
}
