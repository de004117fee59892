import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring

/// Waiting for the ledger.
extension LedgerWriter {
    /// Waits until everything up to `ticket` is stored, and the delivery has its events, so that a flush sends them.
    ///
    /// - Throws: ``ConvertError`` if it is not stored at `deadline`, or the task is cancelled. It is still stored
    ///   later.
    func waitUntilStored(_ ticket: Ticket, until deadline: Duration) async throws(ConvertError) {
        let latch = Latch()
        let (isStored, hasEnded) = state.withLock { state in
            let settled = PlantedFault.isPlanted("flush-before-delivery") ? state.stored : state.settled
            let isStored = (PlantedFault.isPlanted("queued-counts-as-stored") ? state.last : settled) >= ticket
            if !isStored && !end.isOpen { state.waiters.append(Waiter(ticket: ticket, end: latch)) }
            return (isStored, end.isOpen)
        }
        if isStored { return }
        if hasEnded { throw Self.shutDown }
        wake(isUrgent: true)
        if await latch.wait(until: deadline, by: time) { return }
        state.withLock { $0.waiters.removeAll { $0.end === latch } }
        throw notYet("confirmed yet what the context did", "is stored as soon as the ledger takes it")
    }

    private func notYet(_ what: String, _ consolation: String) -> ConvertError {
        let reason = state.withLock { $0.outage?.reason }.map { " (\($0))" } ?? ""
        return ConvertError(code: .notStored, message: "the ledger has not \(what)\(reason); it \(consolation).")
    }

    private static let shutDown = ConvertError(
        code: .notStored, message: "the SDK was shut down, and the ledger is closed.")

    /// Stores all waiting entries, until `deadline`. Returns whether all were stored.
    @discardableResult
    func flush(until deadline: Duration) async -> Bool {
        let last = state.withLock { $0.last }
        return (try? await waitUntilStored(last, until: deadline)) != nil
    }

    /// Closes the queue: further entries are refused.
    func close() { proceed(to: .closed) }

    /// Ends the loop once nothing is left to do, and closes the ledger, until `deadline`. Delivered events are removed
    /// from the ledger until then, so the delivery must be stopped before.
    func finish(until deadline: Duration) async {
        proceed(to: .ending)
        if await end.wait(until: deadline, by: time) { return }
        giveUp()
    }

    /// Ends the loop after one more attempt.
    func giveUp() { proceed(to: .givenUp) }

    private func proceed(to phase: Phase) {
        wake(isUrgent: true) { state in
            state.phase = max(state.phase, phase)
            if phase == .ending { state.chores.due = .zero }
        }
    }

    /// The state of the ledger.
    var status: LedgerStatus {
        state.withLock { state in
            LedgerStatus(
                failingSince: state.outage?.date, reason: state.outage?.reason, waitingEntries: state.queue.count,
                lostEntries: state.lost)
        }
    }

    /// The number of entries that the ledger does not have, including lost ones.
    var unstoredCount: Int { state.withLock { $0.queue.count + $0.lost } }

    // MARK: Forgetting

    /// Removes a visitor's state and events, both the stored ones and the ones that wait to be stored or sent.
    ///
    /// - Parameter isOfVisitor: whether an event belongs to the visitor.
    /// - Throws: ``ConvertError`` if the ledger has not removed them by `deadline`. It still removes them later.
    func forget(
        _ record: VisitorRecord, until deadline: Duration, _ isOfVisitor: @escaping @Sendable (QueuedEvent) -> Bool
    ) async throws(ConvertError) {
        if self.end.isOpen {
            record.forget()
            throw Self.shutDown
        }
        let end = Latch()
        var droppedCount = 0
        var visitor: ForgottenVisitor?
        record.forget {
            wake(isUrgent: true) { state in
                droppedCount = state.drop(record.key)
                let lastID = state.owner.map { EventID(owner: $0, number: state.lastNumber) }
                let forgotten = ForgottenVisitor(lastID: lastID, isOfVisitor)
                state.forgets.append(Forget(record: record, visitor: forgotten, end: end))
                visitor = forgotten
            }
        }
        if droppedCount > 0 { delivery.handle(.dropped(droppedCount, .forgotten)) }
        if let visitor { delivery.handle(.forgotten(visitor)) }
        if await end.wait(until: deadline, by: time) { return }
        throw notYet("forgotten the visitor yet", "does as soon as it can")
    }

    /// Makes the ledger forget visitors before their later changes are stored. If that fails, later changes are stored
    /// first, and are removed when the ledger forgets the visitors.
    func forgetVisitors() async throws {
        for forget in state.withLock({ $0.forgets }) {
            try await call { try await $0.forget(forget.record.key.name) }
            forget.record.didForget()
            delivery.handle(.ledgerForgot(forget.visitor))
            state.withLock { $0.forgets.removeAll { $0.end === forget.end } }
            forget.end.open()
        }
    }
}

extension LedgerWriter.State {
    /// Empties the items of a visitor; they keep their places. Returns the number of removed events.
    fileprivate mutating func drop(_ key: PropertyKey) -> Int {
        var count = 0
        _ = queue.updatePrefix(.max) { item in
            guard item.record.key == key else { return }
            count += item.events.count
            item.changes = VisitorChanges()
            item.events = []
        }
        eventCount -= count
        return count
    }
}
