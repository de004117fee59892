import ConvertConcurrency

/// The pending output of one stream of config changes.
final class ConfigChangeReader: Sendable {
    private struct Pending {
        /// Whether the config changed since the last event.
        var isEventDue = false
        var isCommentDue = true
    }

    /// Wakes the reader.
    let signals: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let pending: Mutex<Pending>
    private let tag: @Sendable () -> String?

    /// Creates a reader whose first chunk is available immediately: a comment, or the event if `notify` is called
    /// first.
    ///
    /// - Parameter tag: the tag of the config in use.
    init(tag: @escaping @Sendable () -> String?, end: @escaping @Sendable () -> Void) {
        self.tag = tag
        (signals, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        pending = Mutex(Pending())
        wake.onTermination = { _ in end() }
    }

    // The stream's owner may never iterate over it.
    deinit { wake.finish() }

    /// Makes an event pending.
    func notify() {
        pending.withLock { $0.isEventDue = true }
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
        let taken = pending.withLock { pending in
            defer { pending = Pending(isCommentDue: false) }
            return pending
        }
        // The tag is read now: threads that report changes may do so in another order than the changes had.
        if taken.isEventDue, let tag = tag() { return ServerSentEvent.refetch(tag) }
        return taken.isCommentDue ? ServerSentEvent.comment : nil
    }
}
