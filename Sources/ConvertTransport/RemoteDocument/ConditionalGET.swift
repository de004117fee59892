/// A GET request that asks whether a copy is still current.
package struct ConditionalGET: Sendable {
    /// The meaning of the server's response.
    package enum Outcome: Sendable, Equatable {
        /// Status 200: a new representation, and the validators to store with it.
        case modified(HTTPResponse, HTTPValidators)
        /// Status 304: the copy is current; the validators to store with it from now on.
        case notModified(HTTPValidators)
        /// Status 304 with validators that contradict the request's validators. The server means another document, so
        /// its response says nothing about the copy (RFC 9111, section 4.3.4).
        case otherDocument
        /// Any other status, or a 304 to a request without validators, which has no copy to refer to. The copy stays
        /// unchanged.
        case failed(HTTPResponse)
    }

    /// The request to send.
    package let request: HTTPRequest

    private let validators: HTTPValidators

    /// Creates a request with `validators`, if there are any.
    ///
    /// - Parameters:
    ///   - request: the request without a copy. Its own conditions are removed, because their answers could not be
    ///     interpreted here.
    ///   - validators: the validators of the copy. Pass `nil` if there is no usable copy.
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

    /// The meaning of `response` for the copy.
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
    /// Sends a conditional request, and returns the meaning of the response for the copy.
    /// - Throws: the errors of `send(_:)`.
    package func send(_ get: ConditionalGET) async throws -> ConditionalGET.Outcome {
        get.outcome(of: try await send(get.request))
    }
}
