import ConvertLedgers
import ConvertConcurrency

/// The writer's calls of the ledger, one at a time.
extension LedgerWriter {
    /// Returns the value of one call of the ledger: one at a time, each with the time limit.
    func call<Value: Sendable>(
        _ operation: @escaping @Sendable (any Ledger) async throws -> Value
    ) async throws -> Value {
        try await commits.run(within: Self.callTimeout, by: time) { [ledger] in try await operation(ledger) }
    }

    func beginOwner() async throws {
        // Renewed long before the owner has no numbers left for further events.
        if !removals.needsOwner, state.withLock({ $0.owner != nil && $0.lastNumber < 1 << 31 }) { return }
        let owner = try await call { try await $0.begin() }
        state.withLock { ($0.owner, $0.lastNumber) = (owner, 0) }
        removals.didBeginOwner()
        delivery.handle(.ownerBegan(owner))
    }

    func storeGroup() async throws {
        let group = takeGroup()
        if group.isEmpty { return }
        let records = Self.records(of: group)
        for (record, count, _) in records { record.beginStoring(count) }
        let entries = group.map(\.entry)
        do {
            let outcomes = try await call { try await $0.commit(entries) }
            guard outcomes.count == group.count else {
                throw LedgerFault(description: "it gave \(outcomes.count) outcomes for \(group.count) entries")
            }
            didStore(group, outcomes)
            let stored = state.withLock { $0.stored }
            for (record, count, last) in records {
                record.endStoring(count, as: outcomes[last].record, storedUpTo: stored)
            }
            wakeWaiters()
        } catch {
            for (record, count, _) in records { record.endStoring(count, as: nil, storedUpTo: 0) }
            if PlantedFault.isPlanted("failed-group-counts-as-stored") {
                didStore(group, group.map { LedgerOutcome(record: $0.record.current.state) })
                wakeWaiters()
            }
            hub.tell(.storeReleased(saved: 0, failed: group.count))
            throw error
        }
    }

    /// The records of a group without duplicates, each with the number of its items and the index of the last one.
    private static func records(of group: [Item]) -> [(record: VisitorRecord, count: Int, last: Int)] {
        var places: [ObjectIdentifier: Int] = [:]
        var records: [(record: VisitorRecord, count: Int, last: Int)] = []
        for (index, item) in group.enumerated() {
            if let place = places[ObjectIdentifier(item.record)] {
                records[place].count += 1
                records[place].last = index
            } else {
                places[ObjectIdentifier(item.record)] = records.count
                records.append((item.record, 1, index))
            }
        }
        return records
    }

    /// Returns the oldest items, and gives ids to their events. The items stay in the queue until they are stored.
    private func takeGroup() -> [Item] {
        state.withLock { state in
            guard let owner = state.owner else { return [] }
            var number = state.lastNumber
            let group = state.queue.updatePrefix(Self.groupSize) { item in
                for index in item.events.indices
                where item.events[index].event.ledgerID == nil || PlantedFault.isPlanted("ids-given-anew-at-a-retry") {
                    number += 1
                    item.events[index].event.ledgerID = EventID(owner: owner, number: number)
                }
            }
            state.lastNumber = number
            Self.checkGroup(group, owner: owner)
            return group
        }
    }

    private func didStore(_ group: [Item], _ outcomes: [LedgerOutcome]) {
        var stored: [QueuedEvent] = []
        var unreportedCount = 0
        state.withLock { state in
            for outcome in outcomes {
                // The item's events may have been released meanwhile.
                guard let item = state.queue.popFirst() else { break }
                state.stored += 1
                state.eventCount -= item.events.count
                for (event, _) in item.events {
                    let isReported = event.ledgerID.map { !outcome.unreported.contains($0) } ?? true
                    if isReported || PlantedFault.isPlanted("unreported-event-sent") {
                        stored.append(event)
                    } else {
                        unreportedCount += 1
                    }
                }
            }
            state.checkInvariants(capacity: capacity)
        }
        delivery.handle(.stored(stored, unreported: unreportedCount))
        hub.tell(.storeReleased(saved: group.count, failed: 0))
    }

    private func wakeWaiters() {
        let waiters = state.withLock { state in
            state.settled = state.stored
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.end.open() }
    }

    /// Makes the ledger forget visitors and remove events. A failure does not prevent storing.
    func doChores() async {
        do {
            try await forgetVisitors()
            try await removeEvents()
            didDoChores()
        } catch {
            didFailChore(error)
        }
    }

    private func removeEvents() async throws {
        let ids = removals.first(Self.removalSize)
        // A few ids wait for more while there are entries to store. After an outage they do not wait: they may include
        // events that were sent without the ledger and that the ledger has.
        let mayWait = state.withLock { !$0.queue.isEmpty && $0.outage == nil }
        if ids.isEmpty || ids.count < Self.groupSize && mayWait { return }
        if PlantedFault.isPlanted("removal-forgotten") { removals.removeFirst(ids.count) }
        try await call { try await $0.remove(ids) }
        if !PlantedFault.isPlanted("removal-forgotten") { removals.removeFirst(ids.count) }
    }
}

/// A violation of the `Ledger` protocol's contract.
private struct LedgerFault: Error, LoggableError, CustomStringConvertible {
    let description: String
}

extension LedgerWriter.Item {
    var entry: LedgerEntry {
        LedgerEntry(
            visitor: record.key.name, changes: changes,
            events: events.compactMap { event, fact in
                event.ledgerID.map { LedgerEvent(id: $0, record: event.record, reporting: fact) }
            })
    }
}
