import ConvertTestServer
import Foundation
import ConvertConcurrency

/// A tracking endpoint that remembers whose events it took.
final class TrackingRecorder: Sendable {
    private struct State {
        var requests = 0
        var isWell = false
        var visitorIDs: [String] = []
    }

    private struct Body: Decodable {
        struct Visitor: Decodable { let visitorId: String }
        let visitors: [Visitor]
    }

    private let state = Mutex(State())

    /// Takes the request, unless `script` answers this one, by its number, with something else than 200.
    func answer(_ request: RecordedRequest, as script: (Int) -> ServerResponse) -> ServerResponse {
        let number: Int? = state.withLock { state in
            state.requests += 1
            return state.isWell ? nil : state.requests - 1
        }
        let response = number.map(script) ?? .status(200)
        if case .send(let head)? = response.steps.first, head.starts(with: Data("HTTP/1.1 200".utf8)) {
            let ids = (try? JSONDecoder().decode(Body.self, from: request.body))?.visitors.map(\.visitorId) ?? []
            state.withLock { $0.visitorIDs += ids }
        }
        return response
    }

    /// From now on every request is taken.
    func heal() { state.withLock { $0.isWell = true } }

    /// Whose events were taken, in order.
    var visitorIDs: [String] { state.withLock { $0.visitorIDs } }
}
