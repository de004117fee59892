package import ConvertConcurrency

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A ``RemoteDocument`` as what its bytes stand for.
package final class RemoteValue<Value: Sendable>: Sendable {
    private final class Adopted: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// The document.
    package let document: RemoteDocument
    private let adopted: Adopted

    /// What the document that was adopted last stands for; `nil` before the first one.
    package var current: Value? { adopted.value.withLock { $0 } }

    /// A value; its document fetches nothing before it is told to.
    /// - Parameters:
    ///   - read: makes the value of the document's bytes. If it throws, they count as not received.
    ///   - copyEnded: called after a copy was written to disk, or with why it could not be.
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
