public import ConvertTransport
internal import ConvertECMAScript
internal import Foundation
internal import ConvertConcurrency

/// Sends what `pb` (postback) and `pii` consequences ask for.
///
///     let sender = SignalSender(transport: SystemTransport())
///     configuration.handlers = ["pb": sender, "pii": sender]
///
/// One after the other, in order, in the background. `templatebody` makes a request a POST, else it is a GET; `timeout` is
/// in seconds, 2 unless given; `pii` needs an `https` URL, `pb` one that ``Destinations`` admit. What tokens give in
/// `templateurl` is percent-encoded where it stands in the path or the query. When the endpoint cannot be reached or
/// answers 408, 503 or 504 the request is repeated after a pause, a limited number of times. What waits is held in
/// memory and bounded; the oldest goes first. Safe to use from any thread.
public final class SignalSender: ConsequenceHandler {
    /// How often and how long a sender tries.
    public struct Limits: Sendable {
        /// Requests that may wait; of more the oldest are dropped.
        public var waiting = 100
        /// How often a request is sent before it is given up.
        public var attempts = 10
        /// The pause before a request is repeated.
        public var pause = Duration.seconds(30)

        /// 100 requests, 10 attempts, 30 seconds.
        public init() {}
    }

    /// Where a sender may send to.
    public struct Destinations: Sendable {
        /// Whether `pb` requests may go to `http` URLs of other machines. `http` on this machine always works.
        public var allowsPlainHTTP = false
        /// The hosts that tokens may choose, each with its port if that is not the scheme's own: `hooks.example.com`,
        /// `hooks.example.com:8443`. A host that a rule spells out needs no entry.
        public var hostsFromTokens: Set<String> = []

        /// `https` only, and no hosts from tokens.
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

    /// A sender.
    ///
    /// - Parameters:
    ///   - transport: what sends the requests.
    ///   - limits: how often and how long it tries.
    ///   - destinations: where it may send to.
    ///   - isOptedOut: whether the user has opted out; then nothing is sent, not even what waits.
    ///   - sleep: pauses the calling task; the real one by default.
    ///   - onFailure: called with every request that is dropped or given up for another reason than
    ///     ``cancel()`` or that the user has opted out, without its contents.
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

    /// Queues the request that the consequence asks for.
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

    /// Waits until everything that was queued is sent or given up, or the calling task is cancelled. Requests that an
    /// endpoint does not take may keep it waiting for all their attempts and pauses.
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

    /// Drops what waits and stops sending.
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
            // Cancelled under the lock: what waits now is another run's.
            if Task.isCancelled { return nil }
            let request = state.waiting.popFirst()
            if request == nil { state.run = nil }
            return request
        }
    }

    private func send(_ request: HTTPRequest) async {
        for attempt in 1...max(limits.attempts, 1) {
            if attempt > 1, (try? await sleep(limits.pause)) == nil { return }
            // After the pause: the user may have opted out meanwhile.
            if isOptedOut() || Task.isCancelled { return }
            switch await status(of: request) {
            case .success(200..<300): return
            case .success(408), .success(503), .success(504): continue
            case .success(let status): return fail("the endpoint answered \(status); the request is given up.")
            // What no further attempt can heal.
            case .failure(let error) where [.invalidRequest, .libraryMissing].contains(error.code):
                return fail("the request cannot be sent; it is given up. \(error)")
            // An endpoint that cannot be reached is tried again as one that is busy.
            case .failure: continue
            }
        }
        fail("the endpoint could not be reached or was busy; the request is given up.")
    }

    /// The status that the endpoint answered with, whatever became of the body behind it.
    private func status(of request: HTTPRequest) async -> Result<Int, TransportError> {
        do {
            // A transport that an app brings may forget about the request's timeout.
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
    /// Whether a token may have chosen the host and port of `url`.
    func admit(_ url: URL) -> Bool {
        guard let host = url.host()?.lowercased() else { return false }
        let standardPort = url.scheme?.lowercased() == "http" ? 80 : 443
        let port = url.port ?? standardPort
        let name = port == standardPort ? host : "\(host):\(port)"
        return hostsFromTokens.contains { $0.lowercased() == name }
    }
}
