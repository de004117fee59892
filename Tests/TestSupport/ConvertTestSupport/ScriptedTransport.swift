import ConvertConcurrency
package import ConvertTransport
package import Foundation

/// A transport that answers as a test tells it to, and records what it was asked.
package final class ScriptedTransport: HTTPTransport {
    /// Gets the request and how many came before it.
    package typealias Answer = @Sendable (HTTPRequest, Int) async throws -> HTTPResponse

    /// No answer at all.
    package struct Unreachable: Error {
        package init() {}
    }

    private let recorded = Mutex<[HTTPRequest]>([])
    private let answer: Answer

    /// Answers by `answer`.
    package init(_ answer: @escaping Answer) { self.answer = answer }

    /// Answers every request with `status` alone.
    package convenience init(status: Int) { self.init { _, _ in HTTPResponse(status: status) } }

    /// Answers one after the other; the last one is given again when there are no more.
    package convenience init(_ answers: Result<HTTPResponse, Unreachable>...) {
        self.init { _, index in
            guard let answer = answers.prefix(index + 1).last else { throw Unreachable() }
            return try answer.get()
        }
    }

    /// What was asked, in order.
    package var requests: [HTTPRequest] { recorded.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let index = recorded.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        return try await answer(request, index)
    }
}

extension Result where Success == HTTPResponse, Failure == ScriptedTransport.Unreachable {
    /// A response.
    package static func status(_ status: Int, _ body: Data = Data(), headers: [String: String] = [:]) -> Self {
        .success(HTTPResponse(status: status, headers: headers, body: body))
    }

    /// No answer.
    package static var unreachable: Self { .failure(.init()) }
}
