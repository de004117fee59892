#if os(Linux)
import ConvertConcurrency

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request that libcurl sends.
final class Transfer: Sendable {
    private struct State {
        var head = ResponseHeadReader()
        var body = Data()
        /// Why this module ended the transfer, if it did.
        var refusal: TransportError.Code?
    }

    let request: HTTPRequest
    let outcome: ExchangeOutcome
    let deadline: ContinuousClock.Instant
    /// Scheme, host and port of the request.
    let origin: String
    private let state = Mutex(State())

    init(_ request: HTTPRequest, deadline: ContinuousClock.Instant) {
        self.request = request
        self.deadline = deadline
        origin = request.url.origin
        outcome = ExchangeOutcome(of: request, until: deadline)
    }

    /// Receives a line of the header or of the trailers; `false` ends the transfer.
    func receive(line: Data) -> Bool {
        let (isTaken, status) = state.withLock { state -> (Bool, Int?) in
            guard state.head.read(line) else {
                state.refusal = .malformedResponse
                return (false, nil)
            }
            let head = state.head.result(to: request)
            if let length = head?.length, length > request.maximumResponseLength {
                state.refusal = .responseTooLong
                return (false, head?.status)
            }
            return (true, head?.status)
        }
        if let status { outcome.begin(status: status) }
        return isTaken
    }

    /// Receives a part of the body; `false` ends the transfer.
    func receive(part: Data) -> Bool {
        state.withLock { state in
            guard part.count <= request.maximumResponseLength - state.body.count else {
                state.refusal = .responseTooLong
                return false
            }
            state.body.append(part)
            return true
        }
    }

    /// Sets the outcome after libcurl has ended the transfer; `nil` means success.
    func complete(_ failure: CurlFailure?) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        let head = ended.head.result(to: request)
        if let refusal = ended.refusal { return fail(refusal) }
        if let failure { return fail(failure.meaning(head: head), underlying: failure.number) }
        // libcurl accepts a header that ends with the connection.
        guard let head else { return fail(.interrupted) }
        outcome.settle(.success(HTTPResponse(status: head.status, headers: head.headers, body: ended.body)))
    }

    /// Sets a failure as the outcome, independent of libcurl.
    func fail(_ code: TransportError.Code, underlying: Int? = nil) {
        outcome.fail(code, underlying: underlying)
    }
}
#endif
