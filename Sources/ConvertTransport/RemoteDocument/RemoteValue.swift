package import ConvertConcurrency

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A ``RemoteDocument`` whose bytes are read as a value.
package final class RemoteValue<Value: Sendable>: Sendable {
    private final class Adopted: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// The document.
    package let document: RemoteDocument
    private let adopted: Adopted

    /// The value of the document that was adopted last; `nil` before the first one.
    package var current: Value? { adopted.value.withLock { $0 } }

    /// Creates a value. Its document fetches nothing before it is requested.
    /// - Parameters:
    ///   - read: reads the value from the document's bytes. If it throws, the bytes count as not received.
    ///   - copyEnded: called after a copy was written to disk, or with the error if that failed.
    package init(
        _ origin: RemoteDocument.Origin, copy: DocumentCopy? = nil, transport: any HTTPTransport, time: any TimeSource,
        whenAbandoned: SingleFlight<RemoteDocument.Change>.Abandonment,
        read: @escaping @Sendable (Data) throws -> Value,
        copyEnded: @escaping @Sendable ((any Error)?) -> Void = { _ in }
    ) {
        let adopted = Adopted()
        self.adopted = adopted
        document = RemoteDocument(
            origin, copy: copy, transport: transport, time: time, whenAbandoned: whenAbandoned,
            consumer: RemoteDocument.Consumer(
                adopt: { data in
                    let value = try read(data)
                    adopted.value.withLock { $0 = value }
                },
                copyEnded: copyEnded))
    }
}
