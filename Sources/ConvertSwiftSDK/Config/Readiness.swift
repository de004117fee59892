import ConvertConcurrency

/// Whether there is a config, and the error of the last attempt to get the first one.
final class Readiness: Sendable {
    private struct State {
        var isReady = false
        var error: ConvertError?
        var hasEnded = false
        /// Opens when the first attempt has ended.
        let attempt = Latch()
        /// Opens when no further attempt can change the result.
        let settled = Latch()

        var latches: [Latch] { [attempt, settled] }
    }

    private let state = Mutex(State())

    var isReady: Bool { state.withLock { $0.isReady } }

    func succeed() {
        let latches: [Latch] = state.withLock { state in
            if state.hasEnded { return [] }
            state.isReady = true
            state.error = nil
            return state.latches
        }
        for latch in latches { latch.open() }
    }

    func fail(_ error: ConvertError) {
        let latches: [Latch] = state.withLock { state in
            if state.isReady || state.hasEnded { return [] }
            state.error = error
            // The app's configuration is invalid, so the next attempt would fail in the same way.
            return error.code == .invalidConfiguration ? state.latches : [state.attempt]
        }
        for latch in latches { latch.open() }
    }

    /// Records that there will be no further attempt.
    func end(_ error: ConvertError) {
        let latches = state.withLock { state in
            if !state.isReady && !state.hasEnded { state.error = error }
            state.hasEnded = true
            return state.latches
        }
        for latch in latches { latch.open() }
    }

    /// Waits until there is a config.
    /// - Throws: the last error if there is no config at `deadline`. If `deadline` is `nil`, throws when the first
    ///   attempt fails.
    func wait(until deadline: Duration?, by time: any TimeSource) async throws(ConvertError) {
        let latch = state.withLock { deadline == nil ? $0.attempt : $0.settled }
        let isOver = await latch.wait(until: deadline, by: time)
        let (isReady, error) = state.withLock { ($0.isReady, $0.error) }
        if isReady { return }
        // Cancellation is the reason only if the wait neither ended nor timed out.
        if !isOver, Task.isCancelled {
            let attempt = error.map { " The last attempt failed: \($0.message)" } ?? ""
            throw ConvertError(
                code: .notReady,
                message: "the wait was cancelled before there was a config, which is still being fetched." + attempt)
        }
        if let error { throw error }
        throw ConvertError(
            code: .notReady,
            message: isOver
                ? "there is no config yet." : "there was no config in the time allowed; it is still being fetched.")
    }
}
