/// A request for what has changed since a copy was taken.
package struct ConditionalGET: Sendable {
    /// How the server answered.
    package enum Outcome: Sendable, Equatable {
        /// Status 200: a new representation, and the validators to keep with it.
        case modified(HTTPResponse, HTTPValidators)
        /// Status 304: the copy is current; the validators to keep with it from now on.
        case notModified(HTTPValidators)
        /// Status 304 with validators that contradict those that were sent: what is current is not the copy, so it says
        /// nothing about it (RFC 9111, section 4.3.4).
        case otherDocument
        /// Any other status; also a 304 although no validators were sent, because then there is no copy that it could
        /// mean. What there is stays as it is.
        case failed(HTTPResponse)
    }

    /// The request as it is sent.
    package let request: HTTPRequest

    private let validators: HTTPValidators

    /// A request that asks with `validators`, if there are any.
    ///
    /// - Parameters:
    ///   - request: what would be sent without a copy. Conditions of its own are dropped, since an answer to them could
    ///     not be understood here.
    ///   - validators: those that came with the copy. Give `nil` if there is no copy, or if it cannot be used.
    package init(_ request: HTTPRequest, validators: HTTPValidators?) {
        let validators = validators ?? HTTPValidators()
        var request = request
        let conditions: Set = ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"]
        request.headers = request.headers.filter { !conditions.contains($0.key.lowercased()) }
        request.headers["If-None-Match"] = validators.etag
        request.headers["If-Modified-Since"] = validators.lastModified
        self.request = request
        self.validators = validators
    }

    /// What `response` says about the copy.
    package func outcome(of response: HTTPResponse) -> Outcome {
        let received = HTTPValidators(response)
        switch response.status {
        case 200: return .modified(response, received)
        case 304 where validators.contradict(received): return .otherDocument
        case 304 where !validators.isEmpty: return .notModified(validators.updated(with: received))
        default: return .failed(response)
        }
    }
}

extension HTTPTransport {
    /// Sends a conditional request and tells what the server said about the copy.
    /// - Throws: what `send(_:)` throws for a request.
    package func send(_ get: ConditionalGET) async throws -> ConditionalGET.Outcome {
        get.outcome(of: try await send(get.request))
    }
}
