#if Postgres
import ConvertConcurrency
import Foundation

/// The time limit of a connection's calls. A call that exceeds the limit fails because the alarm shuts its socket down.
///
/// libpq waits for the server without a limit; it returns when its socket is shut down. The alarm sends no cancel
/// request: the server would answer one during a commit that waits for a standby by reporting success without the
/// standby.
final class Alarm: Sendable {
    private struct State {
        /// The time at which the current call must have ended; `nil` between calls.
        var end: ContinuousClock.Instant?
        /// Whether a call of ``wake()`` is scheduled. There is at most one, however many calls start meanwhile.
        var isPending = false
        var hasRung = false
    }

    private static let queue = DispatchQueue(label: "ConvertPostgresStores.alarms")

    /// A duplicate of the socket's descriptor. When libpq closes its own, another file may receive that number.
    private let socket: Int32
    private let timeout: Duration
    private let state = Mutex(State())

    /// Creates an alarm for calls over `socket`; `nil` if the process has no file descriptor left.
    init?(_ socket: Int32, timeout: Duration) {
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        self.timeout = timeout
        if self.socket < 0 { return nil }
    }

    deinit { close(socket) }

    /// Whether the alarm has shut the socket down because a call exceeded the limit.
    var hasRung: Bool { state.withLock { $0.hasRung } }

    /// Starts the time limit of a call.
    func start() {
        let isNew = state.withLock { state in
            state.end = .now + timeout
            defer { state.isPending = true }
            return !state.isPending
        }
        if isNew { wake(after: timeout) }
    }

    /// Ends the time limit that ``start()`` began.
    func stop() { state.withLock { $0.end = nil } }

    /// Shuts the socket down, so that the current call fails.
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
                // Under the lock, so that a call that ends in time just now keeps its connection.
                ring()
            }
            return nil
        }
        if let rest { wake(after: rest) }
    }
}
#endif
