import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// Claims that nobody in memory keeps but the journal: those of an earlier process, and those for which there was no room
/// among the visitors that wait for the store.
///
/// They are read from the first such row to the last, in portions of as many visitors as there is room for. Each portion is
/// settled against the store and saved before the next is read, so none of them finds no room again. At the start, loads wait
/// for the first portion; a visitor in a later one counts as the store says until it is read. A visitor whose record cannot be
/// read is tried again and again, and holds up nobody else.
extension VisitorRecords {
    /// The most rows that are read at once, and how many at first: it is not known how large they are.
    private static var longestPage: Int { 500 }
    private static var firstPage: Int { 16 }
    /// About so many bytes are read at once.
    private static var pageSize: Int { 1 << 18 }

    /// Begins to read what an earlier process left.
    func restore() {
        guard keepsRows else { return }
        if PlantedFault.isPlanted("claims-not-restored") { return isRestored.open() }
        state.withLock { $0.spilledFrom = 0 }
        restoreIfRoom()
    }

    /// Reads what is in the journal only, if there is room for it and nobody does so already.
    func restoreIfRoom() {
        guard let writer, let journal = source?.journal, writer.hasRoom else { return }
        state.withLock { state in
            guard state.spilledFrom != nil || state.hasTakenOver, state.restoring == nil, !state.isClosed else {
                return
            }
            state.hasTakenOver = false
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
        /// The last row that nobody in memory keeps, as far as that is known.
        let end: Int64
        /// Whether an earlier process may have left rows behind it, up to the first one of this process.
        let isFirst: Bool
        /// How many of ``State/spilled`` are read with it.
        let spilled: Int
        /// How many rows to read next.
        var pageLength = VisitorRecords.firstPage

        mutating func didRead(_ page: [JournaledEvent], through last: Int64) {
            self.last = last
            let size = page.reduce(1) { $0 + $1.record.count }
            let next = min(2 * pageLength, page.count * VisitorRecords.pageSize / size)
            pageLength = max(1, min(next, VisitorRecords.longestPage))
        }
    }

    /// Visitors whose records could not be read.
    private struct Stuck {
        var keys: Set<PropertyKey> = []
        var failures = 0
        var retryTime = Duration.zero
    }

    private func restore(from journal: any EventJournal) async {
        var reading: Reading?
        var stuck = Stuck()
        var failures = 0
        while !Task.isCancelled {
            reading = reading ?? beginReading()
            guard await read(on: &reading, beside: stuck.keys.count, from: journal) else { return }
            isRestored.open()
            await settle(&stuck)
            if !hasRoomToRead(beside: stuck.keys.count) { await writer?.flush() }
            if reading == nil && stuck.keys.isEmpty { return }
            if reading != nil && hasRoomToRead(beside: stuck.keys.count) {
                failures = 0
                continue
            }
            failures += 1
            let end = stuck.keys.isEmpty ? time.now + delay(after: failures) : stuck.retryTime
            guard (try? await time.sleep(until: end)) != nil else { return }
        }
    }

    private func beginReading() -> Reading? {
        state.withLock { state in
            defer { (state.spilledFrom, state.spilledTo) = (nil, 0) }
            return state.spilledFrom.map {
                Reading(last: max(0, $0 - 1), end: state.spilledTo, isFirst: $0 == 0, spilled: state.spilled)
            }
        }
    }

    /// Reads as many as there is room for beside those that are stuck. Returns whether it was not cancelled.
    private func read(
        on reading: inout Reading?, beside stuckCount: Int, from journal: any EventJournal
    ) async -> Bool {
        while let current = reading, hasRoomToRead(beside: stuckCount) {
            let page = await page(of: journal, after: current.last, limit: current.pageLength)
            guard let page else { return false }
            let end = current.isFirst ? max(current.end, firstOwn.load(ordering: .relaxed) - 1) : current.end
            take(page.prefix { $0.id <= end })
            let last = page.last?.id ?? current.last
            if page.count < current.pageLength || last >= end || last <= current.last {
                state.withLock { $0.spilled -= current.spilled }
                reading = nil
            } else {
                reading?.didRead(page, through: last)
            }
        }
        return true
    }

    private func hasRoomToRead(beside stuckCount: Int) -> Bool {
        state.withLock { $0.restoredCount } - stuckCount < portion && hasRoomToTakeOver
    }

    /// Whether claims may be taken that another process left.
    var hasRoomToTakeOver: Bool {
        state.withLock { $0.restoredCount } < Self.unsettledLimit + 2 * portion && writer?.hasRoom ?? true
    }

    /// So many visitors wait to be settled in any case.
    private static var unsettledLimit: Int { 1000 }

    /// The most visitors whose claims are read before they are settled, about.
    private var portion: Int { max(250, (source?.policy.capacity ?? 0) / 2) }

    /// Rows after the one with the id; `nil` if the task is cancelled. While they cannot be read that is tried again, and
    /// loads wait for it only so long.
    private func page(of journal: any EventJournal, after id: Int64, limit: Int) async -> [JournaledEvent]? {
        let timeout = source?.policy.timeout ?? .zero
        let patience = time.now + timeout
        var failures = 0
        while !Task.isCancelled {
            do {
                let page = try await journalReads.run(within: timeout, by: time) {
                    try await journal.events(after: id, limit: limit)
                }
                log.clear(.claimsRead)
                return page
            } catch {
                log.once(.claimsRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
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

    func take(_ page: some Sequence<JournaledEvent>) {
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

    /// Settles what was read against the store; what the store cannot read now is stuck, and is tried again in its time, but
    /// not before the last call for it has returned.
    private func settle(_ stuck: inout Stuck) async {
        let isTime = time.now >= stuck.retryTime
        let underWay = state.withLock { $0.loading }
        let due = unsettled.filter { underWay[$0] == nil && (isTime || !stuck.keys.contains($0)) }
        await loadEach(of: due)
        stuck.keys = Set(unsettled)
        if stuck.keys.isEmpty {
            stuck.failures = 0
        } else if isTime {
            stuck.failures += 1
            stuck.retryTime = time.now + delay(after: stuck.failures)
        }
    }

    private var unsettled: [PropertyKey] { memory.collect { key, visitor in visitor.restored == nil ? nil : key } }

    private func loadEach(of keys: [PropertyKey]) async {
        await withTaskGroup(of: Void.self) { group in
            var rest = keys[...]
            for key in rest.prefix(source?.policy.concurrency ?? 1) {
                group.addTask { await self.waitForLoad(of: key) }
            }
            rest = rest.dropFirst(source?.policy.concurrency ?? 1)
            while await group.next() != nil {
                if let key = rest.popFirst() { group.addTask { await self.waitForLoad(of: key) } }
            }
        }
    }

    /// Returns once the record was loaded, or that failed, or too many others are being loaded.
    private func waitForLoad(of key: PropertyKey) async {
        let end = Latch()
        if load(key, for: RecordWaiter(adopter: nil, end: end)) != nil { _ = await end.wait() }
    }

    private func delay(after failures: Int) -> Duration {
        state.withLock { state in
            (source?.policy.backoff ?? Backoff()).delay(after: failures, using: &state.generator)
        }
    }
}
