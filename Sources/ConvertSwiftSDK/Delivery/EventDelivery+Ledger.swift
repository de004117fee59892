import ConvertLedgers
import ConvertConcurrency

/// What the delivery and the ledger have to do with each other.
///
///     call ── announce ──▶ LedgerWriter ── commit ──▶ take(stored:) ──▶ request ──▶ LedgerRemovals ──▶ LedgerWriter
///                                                        ▲ readLedger, for what found no room in memory
extension EventDelivery {
    /// Takes events that no ledger has, in order. Returns whether they are taken: not after the end.
    func track(_ events: [QueuedEvent]) -> Bool {
        if isStopped { return false }
        handle(.accepted(events))
        return true
    }

    /// The value of one call of the ledger, unless the end has come since it was asked for.
    private func ask<Value: Sendable>(
        _ ledger: any Ledger, in calls: ExclusiveCall,
        _ operation: @escaping @Sendable (any Ledger) async throws -> Value
    ) async throws -> Value {
        let value = try await calls.run(within: LedgerWriter.callTimeout, by: time) { [self] in
            if isStopped { throw LedgerError.isClosed }
            return try await operation(ledger)
        }
        log.clear(.ledgerRead)
        return value
    }

    /// Hands the state events that the ledger has after `id`.
    func readLedger(after id: EventID?, limit: Int) async {
        guard let ledger else { return }
        do {
            let found = try await ask(ledger, in: ledgerReads) { try await $0.undelivered(after: id, limit: limit) }
            let (events, unreadable) = Self.events(in: found)
            handle(.read(events, unreadable: unreadable, isEnd: found.count < limit))
        } catch {
            if isStopped { return }
            log.once(.ledgerRead, "the ledger's events cannot be read (\(error.forLog)); it is tried again.")
            handle(.readFailed)
        }
    }

    private static func events(in stored: [StoredEvent]) -> (events: [QueuedEvent], unreadable: [EventID]) {
        var events: [QueuedEvent] = []
        var unreadable: [EventID] = []
        for event in stored {
            if let event = QueuedEvent(event) { events.append(event) } else { unreadable.append(event.id) }
        }
        return (events, unreadable)
    }

    // MARK: Events of processes that have ended

    /// Looks for such events now and then, if others share the ledger, until the delivery is stopped.
    func beginTakingOver() {
        guard let ledger, let interval = ledger.takeoverInterval else { return }
        takingOver.withLock { task in
            task = Task { [weak self, time] in
                while (try? await time.sleep(until: time.now + interval)) != nil {
                    guard let self else { return }
                    await takeOver(from: ledger)
                }
            }
        }
    }

    private func takeOver(from ledger: any Ledger) async {
        while !Task.isCancelled {
            let room = machine.withLock { $0.state.takeoverRoom }
            guard room > 0 else { return }
            do {
                let count = try await ask(ledger, in: takeovers) { [self] ledger in
                    let found = try await ledger.takeOver(min(room, LedgerWriter.groupSize))
                    let (events, unreadable) = Self.events(in: found)
                    // Here, because this process owns them even if no task waits for the answer any more.
                    if !found.isEmpty { handle(.takenOver(events, unreadable: unreadable)) }
                    return found.count
                }
                if count == 0 { return }
            } catch {
                if isStopped { return }
                noteEnd(of: error)
                log.once(.ledgerRead, "the ledger's events cannot be read (\(error.forLog)); it is tried again.")
                return
            }
        }
    }

    /// Asks for another owner if the error says that this process's has ended, and others may have taken over its
    /// events.
    func noteEnd(of error: any Error) {
        guard case LedgerError.ownerHasEnded = error else { return }
        handle(.ownerEnded)
        if !PlantedFault.isPlanted("ended-owner-kept") { removals.askForOwner() }
    }

    /// Which of `events` another process has taken over; `nil` if that is not known.
    func taken(of events: [QueuedEvent]) async -> Set<EventID>? {
        let ids = events.compactMap(\.ledgerID)
        guard let ledger, ledger.isShared, !ids.isEmpty, !PlantedFault.isPlanted("ownership-not-asked") else {
            return []
        }
        let start = time.now
        do {
            let owned = try await ask(ledger, in: confirmations) { try await $0.owned(ids) }
            // The answer is an old one if this process was stopped meanwhile, and another one may have taken over
            // since.
            if let interval = ledger.takeoverInterval, time.now - start > interval { return nil }
            return Set(ids).subtracting(owned)
        } catch {
            if isStopped { return nil }
            noteEnd(of: error)
            log.once(
                .ledgerRead,
                "the ledger does not say whether events are still this process's (\(error.forLog)); they wait.")
            return nil
        }
    }
}
