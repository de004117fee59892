import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// What an earlier process left in the journal.
///
/// Its claims are read once, page by page, before any load is answered, as many as there is room for among the visitors
/// that wait for the store; then they are settled against the store and saved, and the rest is read. A visitor beyond the
/// room counts meanwhile as the store says.
extension VisitorRecords {
    /// Begins to read them, or sees to it that they are read again after the reading that is under way.
    func restore() {
        guard let journal = source?.journal else { return }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isRestoreDue = true
            if state.restoring != nil { return }
            state.restoring = Task { [weak self] in
                while let self, self.isRestoreDue() { await self.restore(from: journal) }
            }
        }
    }

    private func isRestoreDue() -> Bool {
        state.withLock { state in
            defer { state.isRestoreDue = false }
            if !state.isRestoreDue || state.isClosed { state.restoring = nil }
            return state.isRestoreDue && !state.isClosed
        }
    }

    private func restore(from journal: any EventJournal) async {
        let limit = 500
        var (last, failures) = (Int64(0), 0)
        while !Task.isCancelled {
            let page: [JournaledEvent]
            do {
                page = try await withDeadline(source?.policy.timeout ?? .zero, by: time) { [last] in
                    try await journal.events(after: last, limit: limit)
                }
            } catch {
                log.once(.journalRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
                failures += 1
                if await !pause(after: failures) { return }
                continue
            }
            failures = 0
            for entry in page {
                if case .claim(let claim, let key) = JournalRow(entry) { take(claim, row: entry.id, for: key) }
            }
            guard page.count >= limit, let next = page.last?.id, next > last else { break }
            last = next
            if state.withLock({ $0.restoredCount }) >= source?.policy.capacity ?? 0 {
                isRestored.open()
                await settleRestored()
            }
        }
        isRestored.open()
        await settleRestored()
    }

    private func take(_ claim: VisitorClaim, row: Int64, for key: String) {
        memory.change(PropertyKey(key)) { part, key in
            if part.open[key]?.restored == nil { state.withLock { $0.restoredCount += 1 } }
            var restored = part.open[key]?.restored ?? OpenVisitor.Restored()
            restored.claims.append(claim)
            restored.rows.append(row)
            part.open[key, default: OpenVisitor()].restored = restored
        }
    }

    /// Settles what was read against the store, and tries again until that has worked.
    private func settleRestored() async {
        var failures = 0
        while !Task.isCancelled {
            let keys = memory.collect { key, visitor in visitor.restored == nil ? nil : key }
            if keys.isEmpty { return }
            let isDone = await settle(keys)
            failures = isDone ? 0 : failures + 1
            if !isDone, await !pause(after: failures) { return }
        }
    }

    /// Returns whether the store answered for all of them.
    private func settle(_ keys: [PropertyKey]) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            var rest = keys[...]
            var isDone = true
            for key in rest.prefix(source?.policy.concurrency ?? 0) { group.addTask { await self.settle(key) } }
            rest = rest.dropFirst(source?.policy.concurrency ?? 0)
            while let isRead = await group.next() {
                isDone = isDone && isRead
                if let key = rest.popFirst() { group.addTask { await self.settle(key) } }
            }
            return isDone
        }
    }

    private func settle(_ key: PropertyKey) async -> Bool {
        guard let source else { return true }
        let number = state.withLock { state in
            state.lastLoad += 1
            return state.lastLoad
        }
        let end = Latch()
        // A shutdown may wait for it.
        defer { end.open() }
        open(number, for: key.name, opening: end)
        let stored = try? await withDeadline(source.policy.timeout, by: time) {
            VisitorRecords.Answer.read(try await source.store.load(key.name))
        }
        _ = settle(number, for: key.name, with: stored ?? .failed)
        return stored != nil
    }

    /// Waits before the next attempt. Returns whether there is to be one.
    private func pause(after failures: Int) async -> Bool {
        let delay = state.withLock { state in
            (source?.policy.backoff ?? Backoff()).delay(after: failures, using: &state.generator)
        }
        return (try? await time.sleep(until: time.now + delay)) != nil
    }
}
