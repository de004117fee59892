public import ConvertTransport
internal import ConvertECMAScript
internal import Foundation
internal import ConvertConcurrency

/// Sends the requests of `pb` (postback) and `pii` consequences.
///
///     let sender = SignalSender(transport: SystemTransport())
///     configuration.handlers = ["pb": sender, "pii": sender]
///
/// Requests are sent in the background, one after the other, in order. A request with a `templatebody` is a POST,
/// otherwise a GET. `timeout` is in seconds, at most 120; the default is 2. A `pii` needs an `https` URL, and a `pb` a
/// URL that ``Destinations`` allows. Tokens in the path or query of `templateurl` are percent-encoded.
///
/// If the endpoint cannot be reached, or responds with 408, 503 or 504, the request is repeated after a pause, a
/// limited number of times. Waiting requests are in memory and limited in number. Beyond the limit the oldest request
/// is dropped. Safe to use from any thread.
public final class SignalSender: ConsequenceHandler {
    /// Limits for waiting and repeated requests.
    public struct Limits: Sendable {
        /// The maximum number of waiting requests, at least 1. Beyond it the oldest requests are dropped.
        public var waiting = 100
        /// The maximum number of attempts for a request, at least 1.
        public var attempts = 10
        /// The pause before a request is repeated.
        public var pause = Duration.seconds(30)

        /// Creates the default limits: 100 requests, 10 attempts, 30 seconds.
        public init() {}
    }

    /// The destinations to which a sender may send.
    public struct Destinations: Sendable {
        /// Whether `pb` requests may use `http` URLs of other machines. `http` on this machine is always allowed.
        public var allowsPlainHTTP = false
        /// The hosts that tokens may select, each with its port if it is not the scheme's default: `hooks.example.com`,
        /// `hooks.example.com:8443`. A host that a rule spells out needs no entry.
        public var hostsFromTokens: Set<String> = []

        /// Allows `https` only, and no hosts from tokens.
        public init() {}
    }

    private struct State {
        var waiting = FIFOQueue<HTTPRequest>()
        var run: Task<Void, Never>?
    }

    private let transport: any HTTPTransport
    private let limits: Limits
    private let destinations: Destinations
    private let isOptedOut: @Sendable () -> Bool
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onFailure: @Sendable (MobileRulesWarning) -> Void
    private let state = Mutex(State())

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - limits: limits for waiting and repeated requests.
    ///   - destinations: the destinations to which the sender may send.
    ///   - isOptedOut: whether the user has opted out. If so, nothing is sent, not even waiting requests.
    ///   - sleep: pauses the calling task; `Task.sleep` by default.
    ///   - onFailure: called with every request that is dropped or fails, without its contents. It is not called after
    ///     ``cancel()``, or if the user has opted out.
    public init(
        transport: any HTTPTransport, limits: Limits = Limits(), destinations: Destinations = Destinations(),
        isOptedOut: @escaping @Sendable () -> Bool = { false },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onFailure: @escaping @Sendable (MobileRulesWarning) -> Void = { _ in }
    ) {
        self.transport = transport
        self.limits = limits
        self.destinations = destinations
        self.isOptedOut = isOptedOut
        self.sleep = sleep
        self.onFailure = onFailure
    }

    /// Queues the request of the consequence.
    public func handle(_ triggered: TriggeredConsequence) {
        if isOptedOut() { return }
        let consequence = triggered.consequence
        let request: HTTPRequest
        do {
            request = try SignalRequest(triggered, to: destinations).request
        } catch {
            return onFailure(
                MobileRulesWarning(
                    at: "consequence '\(consequence.id.excerpt(80))'", "nothing is sent: \(error.message)"))
        }
        let isOneTooMany = state.withLock { state in
            state.waiting.append(request)
            let isOneTooMany = state.waiting.count > max(limits.waiting, 1)
            if isOneTooMany { _ = state.waiting.popFirst() }
            if state.run == nil { state.run = Task { await self.sendAll() } }
            return isOneTooMany
        }
        if isOneTooMany { fail("too many requests wait; the oldest is dropped.") }
    }

    /// Waits until all queued requests were sent or have failed, or the calling task is cancelled. If an endpoint
    /// accepts no requests, the call waits for all of their attempts and pauses.
    public func flush() async {
        while !Task.isCancelled, let run = state.withLock({ $0.run }) {
            let outcome = Outcome<Void>()
            Task {
                await run.value
                outcome.set(.success(()))
            }
            guard await outcome.latch.wait() else { return }
        }
    }

    /// Drops the waiting requests and stops sending.
    public func cancel() {
        state.withLock { state in
            state.waiting = FIFOQueue()
            state.run?.cancel()
            state.run = nil
        }
    }

    private func sendAll() async {
        while let request = next() { await send(request) }
    }

    private func next() -> HTTPRequest? {
        state.withLock { state in
            // Cancelled under the lock: requests that wait now belong to another run.
            if Task.isCancelled { return nil }
            let request = state.waiting.popFirst()
            if request == nil { state.run = nil }
            return request
        }
    }

    private func send(_ request: HTTPRequest) async {
        for attempt in 1...max(limits.attempts, 1) {
            if attempt > 1, (try? await sleep(limits.pause)) == nil { return }
            // Checked after the pause, because the user may have opted out meanwhile.
            if isOptedOut() || Task.isCancelled { return }
            switch await status(of: request) {
            case .success(200..<300): return
            case .success(408), .success(503), .success(504): continue
            case .success(let status): return fail("the endpoint answered \(status); the request is given up.")
            // Another attempt cannot fix these errors.
            case .failure(let error) where [.invalidRequest, .libraryMissing].contains(error.code):
                return fail("the request cannot be sent; it is given up. \(error)")
            // An endpoint that cannot be reached is tried again, like a busy endpoint.
            case .failure: continue
            }
        }
        fail("the endpoint could not be reached or was busy; the request is given up.")
    }

    /// The status of the endpoint's response, even if reading its body failed.
    private func status(of request: HTTPRequest) async -> Result<Int, TransportError> {
        do {
            // An app's transport may ignore the request's timeout.
            let timeout = Duration.seconds(request.timeout) + .seconds(5)
            let response = try await withDeadline(timeout, by: SystemTime()) { [transport] in
                try await transport.send(request)
            }
            return .success(response.status)
        } catch let error as TransportError {
            return error.status.map { .success($0) } ?? .failure(error)
        } catch {
            return .failure(TransportError(.other))
        }
    }

    private func fail(_ message: String) { onFailure(MobileRulesWarning(at: "signal", message)) }
}

extension SignalSender.Destinations {
    /// Whether a token may select the host and port of `url`.
    func admit(_ url: URL) -> Bool {
        guard let host = url.host()?.lowercased() else { return false }
        let standardPort = url.scheme?.lowercased() == "http" ? 80 : 443
        let port = url.port ?? standardPort
        let name = port == standardPort ? host : "\(host):\(port)"
        return hostsFromTokens.contains { $0.lowercased() == name }
    }
}
