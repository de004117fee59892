import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// Owns what is known of the visitors: loads it, holds it, lets contexts claim decisions and goals of it, merges, and
/// writes behind.
///
///     context ── commit ──▶ memory (the first claim counts) ──▶ what waits for the store, not saved yet
///        │                     ▲ settle                              ▲ release
///        └── track ──▶ journal: the events, and one row for the claim ┘
///                        │                                 store.save ──▶ the claim's row leaves the journal
///                        └── at the next start: claims are read and settled against what the store has
///
/// One order of durability: a claim is in memory first, then with its events in the journal, in one step, then it may be
/// saved; and its row leaves the journal only once the store has saved what follows from it. So whatever the journal has
/// acknowledged is either in the store or in the journal, at every moment.
///
/// A context whose record is being loaded does not know yet what its changes are changes of. They are held; when the record
/// is there they are settled against it: stored decisions win, segments are newer than the stored ones.
final class VisitorRecords: Sendable {
    /// What came of a load.
    enum Answer: Sendable {
        /// The store's record, if it has one.
        case read(VisitorState?)
        /// The store did not answer properly, or not in time.
        case failed
    }

    let memory: VisitorMemory
    /// The way to the app's store, if it gave one.
    let writer: WriteBehind?
    let source: Source?
    let time: any TimeSource
    let log: Diagnostics
    let state: Mutex<State>
    /// Opens once the journal's claims have been read.
    let isRestored = Latch()

    /// Where records come from.
    struct Source: Sendable {
        let store: any VisitorStore
        /// Where an earlier process may have left claims.
        let journal: (any EventJournal)?
        var policy = WriteBehind.Policy()
    }

    struct State {
        var lastLoad = 0
        /// Number of calls of `load` that have not returned, and of loads that have not called yet.
        var loadCount = 0
        var loads: [Int: Task<Void, Never>] = [:]
        var restoredCount = 0
        var restoring: Task<Void, Never>?
        /// Whether the journal is to be read again after that.
        var isRestoreDue = false
        var isClosed = false
        var generator: any RandomNumberGenerator & Sendable
    }

    /// - Parameters:
    ///   - capacity: how many visitors are kept in memory; 1 or more.
    ///   - source: `nil` keeps visitors in memory only.
    ///   - forget: makes the journal forget rows.
    init(
        capacity: Int, source: Source?, surroundings: Surroundings, log: Diagnostics, hub: EventHub,
        forget: @escaping @Sendable ([Int64]) -> Void = { _ in }
    ) {
        memory = VisitorMemory(capacity: max(1, capacity))
        self.source = source
        writer = source.map { source in
            WriteBehind(
                source.store, policy: source.policy, surroundings: surroundings, log: log, hub: hub, forget: forget)
        }
        time = surroundings.time
        self.log = log
        state = Mutex(State(generator: surroundings.makeGenerator()))
        if source?.journal == nil { isRestored.open() }
        writer?.whenRoom { [weak self] in self?.restore() }
    }

    /// Whether the journal keeps rows for claims until the store has them.
    var keepsRows: Bool { source?.journal != nil }

    /// Number of visitors whose changes are not in the store yet, those held back too, and of changes that never will be.
    /// It takes time linear to them.
    var unsavedCount: Int {
        guard let writer else { return 0 }
        let open = memory.collect { key, visitor in
            visitor.isUnsaved ? key : nil
        }
        return writer.unsavedCount(with: open)
    }

    /// Makes `changes` part of the visitor's record, for all of their contexts, unless some of what they claim is taken.
    /// Then it returns what others have, and nothing changes.
    ///
    /// - Parameters:
    ///   - load: the load that the context waits for; its changes are held until then.
    ///   - isAnnounced: whether ``release(_:for:during:)`` follows. Nothing of the visitor is saved before.
    func commit(
        _ changes: [VisitorStateChange], claiming claim: VisitorClaim, for key: String, during load: Int? = nil,
        isAnnounced: Bool = false
    ) -> VisitorClaim? {
        var isTaken = true
        let conflict = memory.change(PropertyKey(key)) { part, key -> VisitorClaim? in
            if !claim.isEmpty, let earlier = claim.conflict(with: part.records(of: key)) { return earlier }
            if changes.isEmpty { return nil }
            if let load, part.open[key]?.loads[load] != nil {
                for change in changes { part.open[key]?.loads[load]?.held.apply(change) }
                return nil
            }
            part.update(key) { record in for change in changes { record.apply(change) } }
            guard let writer else { return nil }
            var delta = VisitorState()
            for change in changes { delta.apply(change) }
            part.open[key]?.note(delta)
            isTaken = writer.add(delta, for: key, isAnnounced: isAnnounced)
            return nil
        }
        if !isTaken { writer?.sayFull() }
        return conflict
    }

    /// Lets changes that were announced be saved. `rows` are the journal's that stand for them.
    func release(_ rows: [Int64], for key: String, during load: Int? = nil) {
        guard let writer else { return }
        memory.change(PropertyKey(key)) { part, key in
            if let load, part.open[key]?.loads[load] != nil {
                part.open[key]?.loads[load]?.rows += rows
            } else {
                writer.release(rows, for: key)
            }
        }
    }

    /// Takes a row that the journal took later than its claim was made.
    func attach(_ row: Int64, for key: String) {
        guard let writer else { return }
        let isOpen = memory.change(PropertyKey(key)) { part, key -> Bool in
            guard let load = part.open[key]?.loads.first(where: { !$0.value.held.isEmpty })?.key else { return false }
            part.open[key]?.loads[load]?.rows.append(row)
            return true
        }
        if !isOpen { writer.attach([row], for: PropertyKey(key)) }
    }

    /// The goals that the visitor triggered, as far as memory knows.
    func goals(_ key: String) -> JSObject { memory.record(key)?.goals ?? JSObject() }

    /// Writes what waits or is held back now. Returns when that is done or failed: whether anything was held back.
    @discardableResult
    func flush() async -> Bool {
        guard let writer else { return false }
        // Changes are held back while a record is loaded, and that may take no longer than this.
        let end = time.now + writer.policy.timeout
        let ends = awaitedLoads
        await writer.flush()
        await withTaskGroup(of: Bool.self) { group in
            for latch in ends { group.addTask { [time] in await latch.wait(until: end, by: time) } }
            for await isOver in group where isOver { await writer.flush() }
        }
        return !ends.isEmpty
    }

    /// Writes what waits, and what fails again soon after, until nothing is left or the task is cancelled.
    func drain() async {
        guard let writer else { return }
        await flush()
        while unsavedCount > writer.droppedCount {
            guard (try? await time.sleep(until: time.now + writer.policy.drainInterval)) != nil else { return }
            await flush()
        }
    }

    /// Stops writing by itself.
    func close() {
        writer?.close()
        let restoring = state.withLock { state in
            state.isClosed = true
            return state.restoring
        }
        restoring?.cancel()
        isRestored.open()
    }

    /// The ends of loads that something waits for.
    private var awaitedLoads: [Latch] {
        memory.collect { _, visitor in visitor.awaitedLoads.map(\.value.end) }.flatMap { $0 }
    }
}

extension VisitorMemory.Part {
    /// Everything that is claimed of the visitor: what is known, and what contexts hold that do not know it.
    fileprivate mutating func records(of key: PropertyKey) -> [VisitorState] {
        let known = records.value(of: key).map { [$0] } ?? []
        guard let open = open[key] else { return known }
        return known + open.loads.values.lazy.map(\.held).filter { !$0.isEmpty }
    }
}
