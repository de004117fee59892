package import ConvertConcurrency

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A document that lives elsewhere and changes there: a config, an archive of rules.
///
/// It is asked for with the validators that came with the last one, by one request at a time for all callers, within bounds
/// of time and length, and kept on disk if there is a place for it. The same bytes again change nothing, whether or not the
/// endpoint has validators. Whatever goes wrong, what was adopted before stays.
package actor RemoteDocument {
    /// Where it lives.
    package enum Origin: Sendable {
        /// At an endpoint. The request may be another one each time.
        case endpoint(@Sendable () throws -> HTTPRequest)
        /// On this machine; it is read anew at every fetch.
        case file(@Sendable () throws -> Data)
    }

    /// What a fetch came to.
    package enum Change: Sendable {
        /// Another document was adopted.
        case replaced
        /// The document is the one that was adopted before.
        case unchanged
    }

    /// What is made of it. All of these are called one at a time.
    package struct Consumer: Sendable {
        fileprivate let adopt: @Sendable (Data) throws -> Void
        fileprivate let fetchEnded: @Sendable (Result<Change, any Error>) -> Void
        fileprivate let copyEnded: @Sendable ((any Error)?) -> Void

        /// A consumer.
        /// - Parameters:
        ///   - adopt: makes use of the document's bytes. If it throws they count as not received: neither they nor their
        ///     validators are kept.
        ///   - fetchEnded: called once with how a fetch ended, before those who wait for it go on.
        ///   - copyEnded: called after a copy was written to disk, or with why it could not be.
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
    /// Of the document that was adopted.
    private var validators = HTTPValidators()
    private var hasDocument = false
    /// The document, if the copy on disk is not of it because it could not be written.
    private var unkept: Data?

    /// A document; it fetches nothing before it is told to.
    /// - Parameters:
    ///   - copy: where it is kept on disk; `nil` keeps it nowhere.
    ///   - whenAbandoned: what becomes of a fetch that nobody waits for any more.
    ///   - adopted: which bytes the consumer has; documents that share a consumer share it.
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

    /// Whether a fetch is under way.
    package nonisolated var isFetching: Bool { flights.isUnderWay }

    /// Callers that wait for the fetch under way.
    package nonisolated var callerCount: Int { flights.callerCount }

    /// Adopts the copy on disk, unless a document was adopted before: what was fetched is newer.
    /// - Returns: whether it was adopted.
    /// - Throws: what the consumer throws for it; `DocumentCopy.Damage`.
    package func restore(limit: Int) throws -> Bool {
        guard !hasDocument, let contents = try copy?.read(limit: limit) else { return false }
        try adopted.replace(with: contents.document, consumer.adopt)
        validators = contents.validators
        hasDocument = true
        return true
    }

    /// Fetches now. A fetch that is under way serves this call too.
    /// - Throws: ``RemoteDocumentError`` if the endpoint answered without a document; what transport, consumer and the
    ///   origin throw; `CancellationError` if the calling task was cancelled; what ``end(with:)`` was given.
    package nonisolated func fetch() async throws -> Change {
        try await flights.value { try await self.fetch($0) }
    }

    /// Ends the fetch that is under way, and lets no other begin: they throw `error`.
    package nonisolated func end(with error: any Error) { flights.end(with: error) }

    /// Waits until the last fetch is over, a copy that it writes included.
    package nonisolated func finish() async { await flights.finish() }

    private func fetch(_ flight: SingleFlight<Change>.Flight) async throws -> Change {
        // Told where the answer was taken, with nothing between: another fetch may have begun.
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
            // Others may have fetched while a cancelled fetch ended, and what it was asked about is gone.
            try flight.close()
            try Task.checkCancellation()
            return try take(answer.get())
        }
    }

    private struct Answer {
        let outcome: ConditionalGET.Outcome
        /// What was asked with.
        let former: HTTPValidators
        let limit: Int
    }

    private func ask(_ request: HTTPRequest) async throws -> Answer {
        let former = hasDocument ? validators : HTTPValidators()
        var outcome = try await send(ConditionalGET(request, validators: former))
        if outcome == .otherDocument {
            // The server's copy for these validators is not ours; without them it has to send the document.
            outcome = try await send(ConditionalGET(request, validators: nil))
        }
        return Answer(outcome: outcome, former: former, limit: request.maximumResponseLength)
    }

    private func send(_ get: ConditionalGET) async throws -> ConditionalGET.Outcome {
        // A transport that an app brings may forget about the request's timeout.
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

    /// Takes note that the document is still the one that was adopted.
    private func renew(_ newer: HTTPValidators, _ answer: Answer) {
        validators = newer
        if let unkept {
            keep(unkept)
        } else {
            attempt { try $0.replaceValidators(answer.former, with: newer, limit: answer.limit) }
        }
    }

    /// Writes the copy of `document`, the one that was adopted. If that fails it is tried again when the endpoint says that
    /// the document is still the one.
    private func keep(_ document: Data) {
        unkept = document
        attempt {
            try $0.write(document, validators: validators)
            unkept = nil
            return true
        }
    }

    /// Calls `write`, which returns whether it had something to write.
    private func attempt(_ write: (DocumentCopy) throws -> Bool) {
        guard let copy else { return unkept = nil }
        do {
            if try write(copy) { consumer.copyEnded(nil) }
        } catch {
            consumer.copyEnded(error)
        }
    }
}

/// An endpoint answered without a document.
package struct RemoteDocumentError: Error, Equatable {
    /// The response's status.
    package let status: Int
}
