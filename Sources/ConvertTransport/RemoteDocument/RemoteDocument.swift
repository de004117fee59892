package import ConvertConcurrency

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A document that is stored and changed elsewhere, such as a config or a rules archive.
///
/// Its requests have the validators of the last response, and limits for time and length. All callers share one request
/// at a time. With a `copy`, the document is stored on disk. Receiving the same bytes again changes nothing, even
/// without validators. If anything fails, the document adopted before stays in use.
package actor RemoteDocument {
    /// The origin of a document.
    package enum Origin: Sendable {
        /// An endpoint. The request may be different each time.
        case endpoint(@Sendable () throws -> HTTPRequest)
        /// A file on this machine; it is read again at every fetch.
        case file(@Sendable () throws -> Data)
    }

    /// The result of a fetch.
    package enum Change: Sendable {
        /// A new document was adopted.
        case replaced
        /// The document has not changed since it was adopted.
        case unchanged
    }

    /// Uses the document. Its functions are called one at a time.
    package struct Consumer: Sendable {
        fileprivate let adopt: @Sendable (Data) throws -> Void
        fileprivate let fetchEnded: @Sendable (Result<Change, any Error>) -> Void
        fileprivate let copyEnded: @Sendable ((any Error)?) -> Void

        /// Creates a consumer.
        /// - Parameters:
        ///   - adopt: uses the document's bytes. If it throws, the bytes count as not received: neither they nor their
        ///     validators are kept.
        ///   - fetchEnded: called once with the result of a fetch, before its callers continue.
        ///   - copyEnded: called after a copy was written to disk, or with the error if that failed.
        package init(
            adopt: @escaping @Sendable (Data) throws -> Void,
            fetchEnded: @escaping @Sendable (Result<Change, any Error>) -> Void = { _ in },
            copyEnded: @escaping @Sendable ((any Error)?) -> Void = { _ in }
        ) {
            self.adopt = adopt
            self.fetchEnded = fetchEnded
            self.copyEnded = copyEnded
        }
    }

    private let origin: Origin
    private let copy: DocumentCopy?
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let consumer: Consumer
    private let adopted: AdoptedBytes
    private nonisolated let flights: SingleFlight<Change>
    /// The validators of the adopted document.
    private var validators = HTTPValidators()
    private var hasDocument = false
    /// The adopted document, if writing its copy to disk failed.
    private var unkept: Data?

    /// Creates a document. It fetches nothing before a call of ``fetch()``.
    /// - Parameters:
    ///   - copy: the place of the copy on disk; `nil` stores no copy.
    ///   - whenAbandoned: what happens to a fetch when all callers have stopped waiting.
    ///   - adopted: the bytes that the consumer has; documents with the same consumer share it.
    package init(
        _ origin: Origin, copy: DocumentCopy? = nil, transport: any HTTPTransport, time: any TimeSource,
        whenAbandoned: SingleFlight<Change>.Abandonment, adopted: AdoptedBytes = AdoptedBytes(), consumer: Consumer
    ) {
        self.origin = origin
        self.copy = copy
        self.transport = transport
        self.time = time
        self.adopted = adopted
        self.consumer = consumer
        flights = SingleFlight(whenAbandoned: whenAbandoned)
    }

    /// Whether a fetch is running.
    package nonisolated var isFetching: Bool { flights.isUnderWay }

    /// The number of callers that wait for the running fetch.
    package nonisolated var callerCount: Int { flights.callerCount }

    /// Adopts the copy on disk, unless a document was already adopted, because a fetched document is newer.
    /// - Returns: whether it was adopted.
    /// - Throws: the consumer's error; `DocumentCopy.Damage`.
    package func restore(limit: Int) throws -> Bool {
        guard !hasDocument, let contents = try copy?.read(limit: limit) else { return false }
        try adopted.replace(with: contents.document, consumer.adopt)
        validators = contents.validators
        hasDocument = true
        return true
    }

    /// Fetches now. A call during a fetch shares its result.
    /// - Throws: ``RemoteDocumentError`` if the response has no document; the errors of transport, consumer and origin;
    ///   `CancellationError` if the calling task was cancelled; the error that ``end(with:)`` was called with.
    package nonisolated func fetch() async throws -> Change {
        try await flights.value { try await self.fetch($0) }
    }

    /// Ends the running fetch and prevents new ones: they throw `error`.
    package nonisolated func end(with error: any Error) { flights.end(with: error) }

    /// Waits until the last fetch has ended, including the copy that it writes.
    package nonisolated func finish() async { await flights.finish() }

    private func fetch(_ flight: SingleFlight<Change>.Flight) async throws -> Change {
        // Reported in the same step as the answer, without suspension, because another fetch may begin afterwards.
        do {
            let change = try await change(flight)
            consumer.fetchEnded(.success(change))
            return change
        } catch {
            consumer.fetchEnded(.failure(error))
            throw error
        }
    }

    private func change(_ flight: SingleFlight<Change>.Flight) async throws -> Change {
        switch origin {
        case .file(let read):
            try flight.close()
            return try adopted.replace(with: try read(), consumer.adopt) ? .replaced : .unchanged
        case .endpoint(let request):
            let answer: Result<Answer, any Error>
            do { answer = .success(try await ask(try request())) } catch { answer = .failure(error) }
            // After a cancelled fetch, others may have fetched and replaced the copy that this request asked about.
            try flight.close()
            try Task.checkCancellation()
            return try take(answer.get())
        }
    }

    private struct Answer {
        let outcome: ConditionalGET.Outcome
        /// The validators in the request.
        let former: HTTPValidators
        let limit: Int
    }

    private func ask(_ request: HTTPRequest) async throws -> Answer {
        let former = hasDocument ? validators : HTTPValidators()
        var outcome = try await send(ConditionalGET(request, validators: former))
        if outcome == .otherDocument {
            // The server has another document for these validators. Without validators it must send the document.
            outcome = try await send(ConditionalGET(request, validators: nil))
        }
        return Answer(outcome: outcome, former: former, limit: request.maximumResponseLength)
    }

    private func send(_ get: ConditionalGET) async throws -> ConditionalGET.Outcome {
        // An app's transport may ignore the request's timeout.
        let timeout = Duration.seconds(get.request.boundedTimeout) + .seconds(5)
        return try await withDeadline(timeout, by: time) { [transport] in try await transport.send(get) }
    }

    private func take(_ answer: Answer) throws -> Change {
        switch answer.outcome {
        case .notModified(let newer):
            renew(newer, answer)
            return .unchanged
        case .modified(let response, let newer):
            let isNew = try adopted.replace(with: response.body, consumer.adopt)
            if hasDocument && !isNew {
                renew(newer, answer)
                return .unchanged
            }
            validators = newer
            hasDocument = true
            keep(response.body)
            return isNew ? .replaced : .unchanged
        case .failed(let response):
            throw RemoteDocumentError(status: response.status)
        case .otherDocument:
            throw RemoteDocumentError(status: 304)
        }
    }

    /// Records that the adopted document is still current.
    private func renew(_ newer: HTTPValidators, _ answer: Answer) {
        validators = newer
        if let unkept {
            keep(unkept)
        } else {
            attempt { try $0.replaceValidators(answer.former, with: newer, limit: answer.limit) }
        }
    }

    /// Writes the copy of `document`, which was adopted. A failed write is repeated when the endpoint confirms that the
    /// document is still current.
    private func keep(_ document: Data) {
        unkept = document
        attempt {
            try $0.write(document, validators: validators)
            unkept = nil
            return true
        }
    }

    /// Calls `write`, which returns whether it wrote.
    private func attempt(_ write: (DocumentCopy) throws -> Bool) {
        guard let copy else { return unkept = nil }
        do {
            if try write(copy) { consumer.copyEnded(nil) }
        } catch {
            consumer.copyEnded(error)
        }
    }
}

/// The response of an endpoint had no document.
package struct RemoteDocumentError: Error, Equatable {
    /// The response's status.
    package let status: Int
}
