import Synchronization

/// Whether there is a config, and what went wrong with the last attempt to get the first one.
final class Readiness: Sendable {
    private struct State {
        var isReady = false
        var error: ConvertError?
        var hasEnded = false
        /// Opens at the end of the attempt that is under way.
        var attempt = Latch()
    }

    private let state = Mutex(State())

    var isReady: Bool { state.withLock { $0.isReady } }

    func succeed() {
        let attempt: Latch? = state.withLock { state in
            if state.hasEnded { return nil }
            state.isReady = true
            state.error = nil
            return state.attempt
        }
        attempt?.open()
    }

    func fail(_ error: ConvertError) {
        let attempt: Latch? = state.withLock { state in
            if state.isReady || state.hasEnded { return nil }
            state.error = error
            return state.attempt
        }
        attempt?.open()
    }

    /// There will be no further attempt.
    func end(_ error: ConvertError) {
        fail(error)
        state.withLock { $0.hasEnded = true }
    }

    /// Returns once there is a config; throws if the first attempt to get one failed, or the last one so far.
    func wait(until deadline: Duration?, by time: any TimeSource) async throws(ConvertError) {
        let attempt = state.withLock { $0.attempt }
        let isOver = await attempt.wait(until: deadline, by: time)
        let (isReady, error) = state.withLock { ($0.isReady, $0.error) }
        if isReady { return }
        if let error { throw error }
        throw ConvertError(
            code: .notReady,
            message: isOver
                ? "there is no config yet." : "there was no config in the time allowed; it is still being fetched.")
    }
}
