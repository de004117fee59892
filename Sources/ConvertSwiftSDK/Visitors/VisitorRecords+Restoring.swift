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

    /// How far reading has come.
    private struct Reading {
        var last: Int64
        /// How many of ``State/spilled`` are read with it.
        let spilled: Int
    }

    /// Reads and settles by turns until nothing is left. A visitor whose record cannot be read is tried again and again, and
    /// holds nobody else up.
    private func restore(from journal: any EventJournal) async {
        var reading: Reading?
        var failures = 0
        while !Task.isCancelled {
            reading = reading ?? beginReading()
            guard await read(on: &reading, from: journal) else { return }
            isRestored.open()
            let count = state.withLock { $0.restoredCount }
            await settleRestored()
            if !hasRoomToRead { await writer?.flush() }
            let rest = state.withLock { $0.restoredCount }
            if reading == nil && rest == 0 { return }
            let goesOn = rest < count || reading != nil && hasRoomToRead
            failures = goesOn ? 0 : failures + 1
            if !goesOn, await !pause(after: failures) { return }
        }
    }

    private func beginReading() -> Reading? {
        state.withLock { state in
            defer { state.spilledFrom = nil }
            return state.spilledFrom.map { Reading(last: max(0, $0 - 1), spilled: state.spilled) }
        }
    }

    /// Reads as many as there is room for. Returns whether it was not cut short.
    private func read(on reading: inout Reading?, from journal: any EventJournal) async -> Bool {
        while let current = reading, hasRoomToRead {
            guard let page = await page(of: journal, after: current.last) else { return false }
            take(page)
            let last = page.last?.id ?? current.last
            if page.count < Self.pageLength || last <= current.last {
                state.withLock { $0.spilled -= current.spilled }
                reading = nil
            } else {
                reading?.last = last
            }
        }
        return true
    }

    private var hasRoomToRead: Bool {
        state.withLock { $0.restoredCount } < portion && writer?.hasRoom ?? true
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
                return try await journalReads.run(within: timeout, by: time) {
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
                // It may have been read before.
                if part.open[key]?.restored?.rows.contains(entry.id) ?? false { return }
                part.open[key]?.restored?.append(claim)
                part.open[key]?.restored?.rows.append(entry.id)
            }
        }
        if !unreadable.isEmpty { forget(unreadable) }
    }

    /// Settles what was read against the store, as far as that has what it takes.
    private func settleRestored() async {
        await loadEach(of: memory.collect { key, visitor in visitor.restored == nil ? nil : key })
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
