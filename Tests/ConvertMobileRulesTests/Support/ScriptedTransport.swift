import ConvertTransport
import Foundation
import Synchronization

/// Answers requests one after the other as the test says, and remembers them.
final class ScriptedTransport: HTTPTransport {
    struct Unreachable: Error {}

    private struct State {
        var answers: [Result<HTTPResponse, Unreachable>]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    /// The last answer is given again when there are no more.
    init(_ answers: Result<HTTPResponse, Unreachable>...) { state = Mutex(State(answers: answers)) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try state.withLock { state in
            state.requests.append(request)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }.get()
    }
}

extension Result where Success == HTTPResponse, Failure == ScriptedTransport.Unreachable {
    static func status(_ status: Int, _ body: Data = Data(), headers: [String: String] = [:]) -> Self {
        .success(HTTPResponse(status: status, headers: headers, body: body))
    }

    static var unreachable: Self { .failure(.init()) }
}
