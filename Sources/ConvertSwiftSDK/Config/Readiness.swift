import ConvertConcurrency

/// Whether there is a config, and what went wrong with the last attempt to get the first one.
final class Readiness: Sendable {
    private struct State {
        var isReady = false
        var error: ConvertError?
        var hasEnded = false
        /// Opens at the end of the first attempt.
        let attempt = Latch()
        /// Opens once no attempt can change anything any more.
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
            // What the app said is wrong, and the next attempt goes by it as well.
            return error.code == .invalidConfiguration ? state.latches : [state.attempt]
        }
        for latch in latches { latch.open() }
    }

    /// There will be no further attempt.
    func end(_ error: ConvertError) {
        let latches = state.withLock { state in
            if !state.isReady && !state.hasEnded { state.error = error }
            state.hasEnded = true
            return state.latches
        }
        for latch in latches { latch.open() }
    }

    /// Returns once there is a config. It throws without a config at `deadline`, or, if `deadline` is `nil`, as soon as
    /// an attempt fails.
    func wait(until deadline: Duration?, by time: any TimeSource) async throws(ConvertError) {
        let latch = state.withLock { deadline == nil ? $0.attempt : $0.settled }
        let isOver = await latch.wait(until: deadline, by: time)
        let (isReady, error) = state.withLock { ($0.isReady, $0.error) }
        if isReady { return }
        // Only of a wait that neither ended nor ran out of time is the cancellation the reason.
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
