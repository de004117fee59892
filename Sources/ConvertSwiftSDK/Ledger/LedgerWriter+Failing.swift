import ConvertLedgers
import ConvertConcurrency

/// The writer's behavior when the ledger fails and recovers.
extension LedgerWriter {
    /// Sends events from memory.
    func release(_ events: [QueuedEvent]) {
        if events.isEmpty { return }
        // A failed attempt may have stored them nevertheless.
        if !PlantedFault.isPlanted("released-event-stays-in-ledger") { removals.add(events.compactMap(\.ledgerID)) }
        delivery.handle(.released(events))
    }

    func didSucceed() {
        let outage = state.withLock { state in
            defer { (state.failures, state.outage) = (0, nil) }
            return state.outage
        }
        guard outage != nil else { return }
        log.clear(.ledger)
        log.log(.info, "ledger.recovered", "the ledger stores entries again.")
        hub.tell(.ledgerRecovered)
    }

    /// Waits before the next attempt to begin an owner or to store.
    func didFail(_ error: any Error) async {
        delivery.noteEnd(of: error)
        if case LedgerError.ownerHasEnded = error {
            let isFirst = state.withLock { state in
                state.failures += 1
                return state.failures == 1
            }
            if isFirst { return }
        }
        let now = time.now
        let pause = Latch()
        var released: [QueuedEvent] = []
        let (isFirst, delay) = state.withLock { state -> (Bool, Duration) in
            state.failures += 1
            let isFirst = state.outage == nil
            let outage = LedgerOutage(
                since: state.outage?.since ?? now, date: state.outage?.date ?? time.date, reason: error.forLog)
            state.outage = outage
            let isAway = now - outage.since > patience || PlantedFault.isPlanted("no-patience")
            if isAway { released = state.releaseEvents() }
            state.pause = pause
            return (isFirst, backoff.delay(after: state.failures, using: &state.generator))
        }
        release(released)
        log.once(
            .ledger, "the ledger fails (\(error.forLog)); entries wait in memory, and the SDK retries.",
            ["reason": error.forLog])
        if isFirst {
            hub.tell(.ledgerFailed(reason: error.forLog))
            delivery.handle(.ownerDelayed)
        }
        if state.withLock({ $0.phase == .givenUp }) { return }
        // Nothing shortens the first part of the wait, so that waiting callers cannot make attempts more frequent.
        let least = now + min(delay, Self.shortestPause)
        try? await time.sleep(until: least)
        if state.withLock({ $0.waiters.isEmpty }) { _ = await pause.wait(until: now + delay, by: time) }
    }

    /// Records that the ledger failed to remove or forget. It is retried later; storing does not depend on it.
    func didFailChore(_ error: any Error) {
        delivery.noteEnd(of: error)
        state.withLock { state in
            state.chores.failures += 1
            let delay = choreBackoff.delay(after: state.chores.failures, using: &state.generator)
            state.chores.due = time.now + delay
        }
        log.once(
            .ledgerRemoval,
            "the ledger fails to remove delivered events or forgotten visitors (\(error.forLog)); the SDK retries.",
            ["reason": error.forLog])
    }

    func didDoChores() {
        state.withLock { $0.chores = (.zero, 0) }
        log.clear(.ledgerRemoval)
    }
}
