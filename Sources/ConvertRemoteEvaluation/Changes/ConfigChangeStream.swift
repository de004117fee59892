import ConvertECMAScript

/// A stream of server-sent events about new configs, as chunks of bytes to write to the client.
///
///     for await chunk in stream { try await writer.write(ByteBuffer(bytes: chunk)) }
///
/// The first chunk is available immediately, so that the client sees an open stream. A client that reads slowly
/// receives one event for all changes that it missed: a stream never holds more than one event. The stream ends when
/// the SDK is shut down, when its ``RemoteEvaluation`` is released, when ``end()`` is called, and when the task that
/// iterates over it is cancelled. It counts
/// against ``RemoteEvaluationConfiguration/Limits/streams`` until it ends, or until it and its iterator are released.
/// It can be iterated over only once.
public struct ConfigChangeStream: AsyncSequence, Sendable {
    /// A chunk of bytes.
    public typealias Element = [UInt8]
    /// A stream never fails.
    public typealias Failure = Never

    let reader: ConfigChangeReader

    /// Ends the stream after the pending chunk, for a server that shuts down.
    ///
    /// Safe to call from any thread, and more than once. Iterators return the chunk that is still pending, then `nil`.
    public func end() { reader.finish() }

    /// Returns an iterator over the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, signals: reader.signals.makeAsyncIterator())
    }

    /// Iterates over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ConfigChangeReader
        var signals: AsyncStream<Void>.AsyncIterator

        /// Waits for the next chunk; `nil` at the end.
        public mutating func next() async -> [UInt8]? { await next(isolation: nil) }

        /// Waits for the next chunk; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            while true {
                if let chunk = reader.takeChunk() { return chunk }
                if await signals.next(isolation: actor) == nil { return reader.takeChunk() }
            }
        }
    }
}

/// The text of server-sent events.
enum ServerSentEvent {
    /// A comment, which clients ignore.
    static let comment = Array(": \n\n".utf8)

    /// The event about a new config with `tag`.
    static func refetch(_ tag: String) -> [UInt8] {
        var data = JSONBytes(capacity: 96)
        data.append("{\"type\":\"refetchEvaluation\",\"etag\":")
        data.append(quoting: tag)
        data.append("}")
        return Array("id: \(tag)\nevent: message\ndata: ".utf8) + data.bytes + Array("\n\n".utf8)
    }
}
