#if Postgres
import ConvertConcurrency
import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The time limit of a connection's calls: a call that takes longer fails, because its socket is shut down under it.
///
/// libpq waits for the server without a limit, and a shut down socket is what makes it return. No request to cancel is
/// sent: a commit that waits for a standby would answer it by succeeding without the standby.
final class Alarm: Sendable {
    private struct State {
        /// When the call under way has to be over; `nil` between calls.
        var end: ContinuousClock.Instant?
        /// Whether ``wake()`` is to be called at some time. One call of it is pending at most, however many calls there
        /// are.
        var isPending = false
        var hasRung = false
    }

    private static let queue = DispatchQueue(label: "ConvertPostgresStores.alarms")

    /// The same socket under a number of its own: when libpq closes its own number, another file may get that.
    private let socket: Int32
    private let timeout: Duration
    private let state = Mutex(State())

    /// An alarm for calls over `socket`; `nil` if the process has no file descriptor left.
    init?(_ socket: Int32, timeout: Duration) {
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        self.timeout = timeout
        if self.socket < 0 { return nil }
    }

    deinit { close(socket) }

    /// Whether the socket was shut down because the time was over.
    var hasRung: Bool { state.withLock { $0.hasRung } }

    /// Begins to measure a call's time.
    func start() {
        let isNew = state.withLock { state in
            state.end = .now + timeout
            defer { state.isPending = true }
            return !state.isPending
        }
        if isNew { wake(after: timeout) }
    }

    /// Ends what ``start()`` began.
    func stop() { state.withLock { $0.end = nil } }

    /// Shuts the socket down, so that the call under way fails.
    func ring() { shutdown(socket, Int32(SHUT_RDWR)) }

    private func wake(after delay: Duration) {
        let nanoseconds = Int(clamping: Int64(delay.bounded / .nanoseconds(1)))
        Self.queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in self?.wake() }
    }

    private func wake() {
        let rest = state.withLock { state -> Duration? in
            if let end = state.end, end > .now { return end - .now }
            state.isPending = false
            if state.end != nil {
                state.hasRung = true
                // Under the lock, so that a call that has just ended in time does not lose its connection.
                ring()
            }
            return nil
        }
        if let rest { wake(after: rest) }
    }
}
#endif
