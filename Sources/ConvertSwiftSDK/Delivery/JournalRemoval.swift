import ConvertConcurrency

/// Makes the journal forget what is over, in its own time, and what it refuses to forget again and again.
///
/// What was delivered and cannot be removed, as on a disk that is full, is remembered: it is not sent again, and it is
/// removed as soon as the journal can, so that the next process does not send it either.
final class JournalRemoval: Sendable {
    private struct State {
        var ids = JournalIDs()
        var attempt: Task<Void, Never>?
        /// What waits for the time of the next attempt, after one that failed.
        var alarm: Task<Void, Never>?
        var failures = 0
        var generator: any RandomNumberGenerator & Sendable
    }

    /// So many ids go in one call.
    private static let portion = 5000
    /// A transaction costs the journal more than the rows in it.
    private static let rest = Duration.milliseconds(20)

    private let journal: any EventJournal
    /// A journal is an app's own code; one that never answers must not hold up a shutdown.
    private let timeout: Duration
    private let time: any TimeSource
    private let log: Diagnostics
    private let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))
    private let calls = ExclusiveCall()
    private let state: Mutex<State>

    init(_ journal: any EventJournal, timeout: Duration, surroundings: Surroundings, log: Diagnostics) {
        self.journal = journal
        self.timeout = timeout
        time = surroundings.time
        self.log = log
        state = Mutex(State(generator: surroundings.makeGenerator()))
    }

    deinit { state.withLock { $0.alarm?.cancel() } }

    /// Makes the journal forget `ids`. It returns at once.
    func remove(_ ids: [Int64]) {
        state.withLock { state in
            for id in ids { state.ids.insert(id) }
            if state.alarm == nil { begin(&state) }
        }
    }

    /// Tries what was refused once more, and waits until all is forgotten or refused, or for `deadline`: a process that
    /// ended before would leave what was delivered to the next one, which would send it again.
    func finish(until deadline: Duration) async {
        let attempt = state.withLock { state in
            begin(&state)
            return state.attempt
        }
        guard let attempt else { return }
        try? await withDeadline(deadline - time.now, by: time) { await attempt.value }
    }

    private func begin(_ state: inout State) {
        guard state.attempt == nil, !state.ids.isEmpty else { return }
        state.alarm?.cancel()
        state.alarm = nil
        state.attempt = Task {
            // What is over next goes with it.
            await time.rest(for: Self.rest)
            await removeAll()
        }
    }

    private func removeAll() async {
        while true {
            let ids = state.withLock { state in
                let ids = state.ids.popFirst(Self.portion)
                if ids.isEmpty { state.attempt = nil }
                return ids
            }
            if ids.isEmpty { return }
            do {
                try await calls.run(within: timeout, by: time) { [journal] in try await journal.remove(ids) }
            } catch {
                log.once(
                    .journalRemove,
                    "delivered events stay in the journal (\(type(of: error))); they are removed once that is possible."
                )
                state.withLock { pause(&$0, with: ids) }
                return
            }
            log.clear(.journalRemove)
            state.withLock { $0.failures = 0 }
        }
    }

    private func pause(_ state: inout State, with ids: [Int64]) {
        for id in ids where !PlantedFault.isPlanted("removal-forgotten") { state.ids.insert(id) }
        state.attempt = nil
        state.failures += 1
        let end = time.now + backoff.delay(after: state.failures, using: &state.generator)
        if PlantedFault.isPlanted("removal-not-retried") { return }
        state.alarm = Task { [weak self, time] in
            guard (try? await time.sleep(until: end)) != nil else { return }
            self?.state.withLock { self?.begin(&$0) }
        }
    }
}
