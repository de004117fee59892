import ConvertLedgers
import ConvertConcurrency

/// The interaction of the delivery and the ledger.
///
///     call ── announce ──▶ LedgerWriter ── commit ──▶ take(stored:) ──▶ request ──▶ LedgerRemovals ──▶ LedgerWriter
///                                                        ▲ readLedger, for events that did not fit in memory
extension EventDelivery {
    /// Accepts events that no ledger has, in order. Returns `false` if sending has ended.
    func track(_ events: [QueuedEvent]) -> Bool {
        if isStopped { return false }
        handle(.accepted(events))
        return true
    }

    /// Returns the value of one call of the ledger; throws `isClosed` if sending has ended meanwhile.
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

    /// Reads events after `id` from the ledger, and passes them to the state.
    func readLedger(after id: EventID?, limit: Int) async {
        guard let ledger else { return }
        do {
            let found = try await ask(ledger, in: ledgerReads) { try await $0.undelivered(after: id, limit: limit) }
            let (events, unreadable) = Self.events(in: found)
            handle(.read(events, unreadable: unreadable, isEnd: found.count < limit))
        } catch {
            if isStopped { return }
            log.once(.ledgerRead, "the ledger's events cannot be read (\(error.forLog)); the SDK retries.")
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

    /// Takes over such events at intervals, if others share the ledger, until the delivery is stopped.
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
                    // Inside of the call: this process owns the events even if no task waits for the answer any more.
                    if !found.isEmpty { handle(.takenOver(events, unreadable: unreadable)) }
                    return found.count
                }
                if count == 0 { return }
            } catch {
                if isStopped { return }
                noteEnd(of: error)
                log.once(.ledgerRead, "the ledger's events cannot be read (\(error.forLog)); the SDK retries.")
                return
            }
        }
    }

    /// Requests a new owner if the error says that this process's owner has ended. Others may have taken over its
    /// events.
    func noteEnd(of error: any Error) {
        guard case LedgerError.ownerHasEnded = error else { return }
        handle(.ownerEnded)
        if !PlantedFault.isPlanted("ended-owner-kept") { removals.askForOwner() }
    }

    /// The ids of `events` that another process has taken over; `nil` if that is unknown.
    func taken(of events: [QueuedEvent]) async -> Set<EventID>? {
        let ids = events.compactMap(\.ledgerID)
        guard let ledger, ledger.isShared, !ids.isEmpty, !PlantedFault.isPlanted("ownership-not-asked") else {
            return []
        }
        let start = time.now
        do {
            let owned = try await ask(ledger, in: confirmations) { try await $0.owned(ids) }
            // If this process was stopped meanwhile, the answer is old, and another process may have taken over since.
            if let interval = ledger.takeoverInterval, time.now - start > interval { return nil }
            return Set(ids).subtracting(owned)
        } catch {
            if isStopped { return nil }
            noteEnd(of: error)
            log.once(
                .ledgerRead,
                "the ledger cannot confirm that events still belong to this process (\(error.forLog)); they wait.")
            return nil
        }
    }
}
