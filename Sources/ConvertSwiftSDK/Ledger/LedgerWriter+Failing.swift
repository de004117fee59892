import ConvertLedgers
import ConvertConcurrency

/// What the loop does when the ledger fails, and when it is well again.
extension LedgerWriter {
    /// Lets events go out from memory.
    func release(_ events: [QueuedEvent]) {
        if events.isEmpty { return }
        // It is not known whether an attempt that failed has stored them all the same.
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
        log.log(.info, "ledger.recovered", "the ledger takes entries again.")
        hub.tell(.ledgerRecovered)
    }

    /// Waits before the next attempt to begin an owner, or to store.
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
            .ledger, "the ledger fails (\(error.forLog)); entries wait in memory, and it is tried again.",
            ["reason": error.forLog])
        if isFirst {
            hub.tell(.ledgerFailed(reason: error.forLog))
            delivery.handle(.ownerDelayed)
        }
        if state.withLock({ $0.phase == .givenUp }) { return }
        // Nothing shortens the first part: any number of waiters may not ask the ledger more often.
        let least = now + min(delay, Self.shortestPause)
        try? await time.sleep(until: least)
        if state.withLock({ $0.waiters.isEmpty }) { _ = await pause.wait(until: now + delay, by: time) }
    }

    /// The ledger did not remove or forget. It is asked again later; what it stores does not depend on it.
    func didFailChore(_ error: any Error) {
        delivery.noteEnd(of: error)
        state.withLock { state in
            state.chores.failures += 1
            let delay = choreBackoff.delay(after: state.chores.failures, using: &state.generator)
            state.chores.due = time.now + delay
        }
        log.once(
            .ledgerRemoval,
            "the ledger does not remove what was delivered or is to be forgotten (\(error.forLog)); it is tried again.",
            ["reason": error.forLog])
    }

    func didDoChores() {
        state.withLock { $0.chores = (.zero, 0) }
        log.clear(.ledgerRemoval)
    }
}
