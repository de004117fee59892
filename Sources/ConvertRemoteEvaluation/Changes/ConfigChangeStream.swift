import ConvertECMAScript

/// A stream of server-sent events that tell clients of new configs, in chunks of bytes as they are written to the
/// client.
///
///     for await chunk in stream { try await writer.write(ByteBuffer(bytes: chunk)) }
///
/// The first chunk comes at once, so that the client learns that the stream is there. A client that reads slowly gets
/// one event for all changes that it missed: no stream holds more than one event. It ends when the SDK is shut down;
/// when its reader's task is cancelled, or its iterator released, the stream is closed. It can be iterated over once.
public struct ConfigChangeStream: AsyncSequence, Sendable {
    /// A chunk of bytes.
    public typealias Element = [UInt8]
    /// A stream does not fail.
    public typealias Failure = Never

    let reader: ConfigChangeReader

    /// Iterates over the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, signals: reader.signals.makeAsyncIterator())
    }

    /// Iterates over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ConfigChangeReader
        var signals: AsyncStream<Void>.AsyncIterator

        /// The next chunk, or `nil` at the end.
        public mutating func next() async -> [UInt8]? { await next(isolation: nil) }

        /// The next chunk, or `nil` at the end.
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

    /// The event that tells of a new config with `tag`.
    static func refetch(_ tag: String) -> [UInt8] {
        var data = JSONBytes(capacity: 96)
        data.append("{\"type\":\"refetchEvaluation\",\"etag\":")
        data.append(quoting: tag)
        data.append("}")
        return Array("id: \(tag)\nevent: message\ndata: ".utf8) + data.bytes + Array("\n\n".utf8)
    }
}
