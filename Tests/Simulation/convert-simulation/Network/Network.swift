import ConvertTestSupport
import ConvertTransport
import Foundation

/// The network of one server, and the peers at its other end.
///
/// A peer answers late, twice, in the middle of something else, or not at all; a request may arrive although its answer
/// does not.
struct Network: HTTPTransport {
    let owner: Int
    let hasLedger: Bool
    let peers: Peers

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        World.current.expect(owner)
        if request.method == "POST" { peers.history.willSend(request, from: owner, hasLedger: hasLedger) }
        let exchange = Exchange()
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                exchange.begin(continuation)
                peers.receive(request, from: owner, exchange)
            }
        } onCancel: {
            exchange.end(.failure(CancellationError()))
        }
    }
}

/// A request and its one answer.
final class Exchange: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.
    private var continuation: UnsafeContinuation<HTTPResponse, any Error>?
    private var result: Result<HTTPResponse, any Error>?

    func begin(_ continuation: UnsafeContinuation<HTTPResponse, any Error>) {
        if let result { return continuation.resume(with: result) }
        self.continuation = continuation
    }

    /// Ends the exchange, unless it has ended. Returns whether it has now.
    @discardableResult
    func end(_ result: Result<HTTPResponse, any Error>) -> Bool {
        if self.result != nil { return false }
        self.result = result
        continuation?.resume(with: result)
        continuation = nil
        return true
    }
}

/// The answer does not come.
struct ConnectionLost: Error {}

/// What answers the servers: the place where configs are fetched, and the endpoint that takes events.
final class Peers: @unchecked Sendable {
    /// How the network and its peers fare.
    enum Health: String, CaseIterable {
        case well
        /// Some requests fail, in one of many ways.
        case flaky
        /// No request arrives.
        case down
        /// Everybody is asked to come back later.
        case throttling
        /// Credentials are refused.
        case refusing
    }

    var health = Health.well
    /// The newest config.
    var config = SampleConfig(version: 1)
    let history: History
    private var generator: SeededGenerator
    /// Until when each server was asked not to come back.
    private var pauses: [Int: Int64] = [:]
    /// By server, when the last request ended, or ends, whose events were not taken in time.
    private var troubles: [Int: Int64] = [:]

    init(history: History, seed: Int) {
        self.history = history
        generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 11 &+ 4)
    }

    /// Takes a request, and answers it in its time.
    func receive(_ request: HTTPRequest, from owner: Int, _ exchange: Exchange) {
        let world = World.current
        world.trace.note(request.body ?? Data(request.url.absoluteString.utf8))
        let answer = answer(to: request, from: owner)
        let timeout = world.time + Int64(request.timeout * 1e9)
        let trouble = troubles[owner]
        if request.method == "POST" { troubles[owner] = max(trouble ?? .min, min(answer?.time ?? timeout, timeout)) }
        world.at(timeout, as: owner) { exchange.end(.failure(ConnectionLost())) }
        guard let answer else { return }
        world.at(answer.time, as: owner) { exchange.end(answer.result) }
        // What a server heard is over for it.
        let isHeard = answer.time < timeout
        if case .success(let response) = answer.result, request.method == "POST" {
            history.didAnswer(response.status, request, to: owner, isHeard: isHeard)
            if response.status == 200, isHeard { troubles[owner] = trouble }
        }
    }

    /// Whether the server's events were taken in time since `start`, and it does not pause.
    func areWell(for owner: Int, since start: Int64) -> Bool {
        max(troubles[owner] ?? .min, pauses[owner] ?? .min) < start
    }

    private struct Answer {
        let time: Int64
        let result: Result<HTTPResponse, any Error>
    }

    private func answer(to request: HTTPRequest, from owner: Int) -> Answer? {
        let now = World.current.time
        let soon = now + Int64(generator.int(1_000_000...80_000_000))
        func says(_ status: Int, after time: Int64 = soon, headers: [String: String] = [:]) -> Answer {
            let isConfig = request.method == "GET" && status == 200
            let body = isConfig ? Data(config.json.utf8) : Data()
            let headers = isConfig ? headers.merging(["etag": "\"\(config.version)\""]) { $1 } : headers
            return Answer(time: time, result: .success(HTTPResponse(status: status, headers: headers, body: body)))
        }
        let isEvents = request.method == "POST"
        if isEvents, let end = pauses[owner], now < end {
            World.current.fail("a server sends \((end - now) / 1_000_000) ms before the time that Retry-After names")
        }
        switch health {
        case .down: return Answer(time: soon, result: .failure(ConnectionLost()))
        case .throttling where isEvents:
            let seconds = generator.int(1...20)
            pauses[owner] = soon + Int64(seconds) * 1_000_000_000
            return says(generator.pick([429, 503]), headers: ["Retry-After": "\(seconds)"])
        case .refusing where isEvents: return says(generator.pick([401, 403, 404, 407, 425]))
        case .flaky where generator.happens(50):
            switch generator.int(0...6) {
            case 0: return nil
            case 1: return Answer(time: soon, result: .failure(ConnectionLost()))
            case 2: return says(500)
            case 3:
                if isEvents { history.didTake(request, isRepeated: false) }
                return Answer(time: soon, result: .failure(ConnectionLost()))
            case 4:
                // Late, and perhaps too late.
                if isEvents { history.didTake(request, isRepeated: false) }
                return says(200, after: now + Int64(generator.int(1_000_000_000...14_000_000_000)))
            case 5:
                if isEvents { history.didTake(request, isRepeated: true) }
                return says(200)
            default: return says(408)
            }
        default: break
        }
        guard isEvents else { return says(200) }
        if history.holdsRefusedEvent(request) { return says(generator.pick([400, 413, 422])) }
        history.didTake(request, isRepeated: false)
        return says(200)
    }
}
