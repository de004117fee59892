import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// Claims that nobody in memory keeps but the journal: those of an earlier process, and those for which there was no room
/// among the visitors that wait for the store.
///
/// They are read from the first such row on, in portions of as many visitors as there is room for. Each portion is settled
/// against the store and saved before the next is read, so none of them finds no room again. At the start, loads wait for the
/// first portion; a visitor in a later one counts as the store says until it is read.
extension VisitorRecords {
    /// Rows that are read at once.
    private static var pageLength: Int { 500 }

    /// Begins to read what an earlier process left.
    func restore() {
        guard keepsRows else { return }
        state.withLock { $0.spilledFrom = 0 }
        restoreIfRoom()
    }

    /// Reads what is in the journal only, if there is room for it and nobody does so already.
    func restoreIfRoom() {
        guard let writer, let journal = source?.journal, writer.hasRoom else { return }
        state.withLock { state in
            guard state.spilledFrom != nil, state.restoring == nil, !state.isClosed else { return }
            state.restoring = Task { [weak self] in
                await self?.restore(from: journal)
                self?.state.withLock { $0.restoring = nil }
                // What came to be in the journal only meanwhile.
                self?.restoreIfRoom()
            }
        }
    }

    private func restore(from journal: any EventJournal) async {
        let (first, count) = state.withLock { state in
            defer { state.spilledFrom = nil }
            return (state.spilledFrom ?? 0, state.spilled)
        }
        var last = max(0, first - 1)
        while let page = await page(of: journal, after: last) {
            take(page)
            let isEnd = page.count < Self.pageLength || page.last.map { $0.id <= last } ?? true
            last = page.last?.id ?? last
            if isEnd || state.withLock({ $0.restoredCount }) >= portion {
                isRestored.open()
                guard await settleRestored(), await makeRoom() else { return }
            }
            if isEnd { return state.withLock { $0.spilled -= count } }
        }
    }

    /// The most visitors whose claims are read before they are settled, about.
    private var portion: Int { max(1, (source?.policy.capacity ?? 0) / 2) }

    /// Rows after the one with the id; `nil` if the task is cancelled. While they cannot be read that is tried again, and
    /// loads wait for it only so long.
    private func page(of journal: any EventJournal, after id: Int64) async -> [JournaledEvent]? {
        let timeout = source?.policy.timeout ?? .zero
        let patience = time.now + timeout
        var failures = 0
        while !Task.isCancelled {
            do {
                return try await withDeadline(timeout, by: time) {
                    try await journal.events(after: id, limit: Self.pageLength)
                }
            } catch {
                log.once(.journalRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
            }
            failures += 1
            let next = time.now + delay(after: failures)
            if !isRestored.isOpen, next >= patience {
                guard (try? await time.sleep(until: patience)) != nil else { return nil }
                isRestored.open()
            }
            guard (try? await time.sleep(until: next)) != nil else { return nil }
        }
        return nil
    }

    private func take(_ page: [JournaledEvent]) {
        var unreadable: [Int64] = []
        for entry in page where JournalRow.isClaim(entry.record) {
            guard case .claim(let claim, let key) = JournalRow(entry) else {
                unreadable.append(entry.id)
                continue
            }
            memory.change(PropertyKey(key)) { part, key in
                if part.open[key]?.restored == nil { state.withLock { $0.restoredCount += 1 } }
                part.open[key, default: OpenVisitor()].restored = part.open[key]?.restored ?? HeldChanges()
                part.open[key]?.restored?.append(claim)
                part.open[key]?.restored?.rows.append(entry.id)
            }
        }
        if !unreadable.isEmpty { forget(unreadable) }
    }

    /// Settles what was read against the store, and tries again until that has worked. Returns whether it has.
    private func settleRestored() async -> Bool {
        var failures = 0
        while !Task.isCancelled {
            let keys = memory.collect { key, visitor in visitor.restored == nil ? nil : key }
            if keys.isEmpty { return true }
            await loadEach(of: keys)
            guard state.withLock({ $0.restoredCount }) > 0 else { return true }
            failures += 1
            if await !pause(after: failures) { return false }
        }
        return false
    }

    private func loadEach(of keys: [PropertyKey]) async {
        await withTaskGroup(of: Void.self) { group in
            var rest = keys[...]
            for key in rest.prefix(source?.policy.concurrency ?? 1) { group.addTask { await self.load(key) } }
            rest = rest.dropFirst(source?.policy.concurrency ?? 1)
            while await group.next() != nil {
                if let key = rest.popFirst() { group.addTask { await self.load(key) } }
            }
        }
    }

    /// Returns once the record was loaded, or that failed, or too many others are being loaded.
    private func load(_ key: PropertyKey) async {
        let end = Latch()
        if load(key.name, for: RecordWaiter(adopt: { _ in }, end: end)) != nil { _ = await end.wait() }
    }

    /// Saves what waits for the store until there is room for more. Returns whether there is.
    private func makeRoom() async -> Bool {
        guard let writer else { return true }
        var failures = 0
        while !writer.hasRoom {
            await writer.flush()
            if writer.hasRoom { break }
            failures += 1
            if await !pause(after: failures) { return false }
        }
        return true
    }

    private func delay(after failures: Int) -> Duration {
        state.withLock { state in
            (source?.policy.backoff ?? Backoff()).delay(after: failures, using: &state.generator)
        }
    }

    /// Waits before the next attempt. Returns whether there is to be one.
    private func pause(after failures: Int) async -> Bool {
        (try? await time.sleep(until: time.now + delay(after: failures))) != nil
    }
}
