import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// Owns what is known of the visitors: loads it, holds it, lets contexts claim decisions and goals of it, merges, and
/// writes behind.
///
///     context ── commit ──▶ memory (the first claim counts) ──▶ what waits for the store, not saved yet
///        │                     ▲ endLoad                             ▲ didJournal
///        └── track ──▶ journal: the events, and one row for the claim ┘
///                        │                                 store.save ──▶ the claim's row leaves the journal
///                        └── claims that nobody in memory keeps are read, and settled against what the store has
///
/// One order of durability: a claim is in memory first, then with its events in the journal, in one step, then it may be
/// saved; and its row leaves the journal only once the store has saved what follows from it. So whatever the journal has
/// acknowledged is either in the store or in the journal, at every moment.
///
/// A claim's row follows what the claim changes (``KeyedClaim/Keeper``): a load that holds it, then the writer. Where the
/// writer has no room, only the journal keeps the claim; its row is read once there is room, as are those of an earlier process.
///
/// A context whose record is being loaded does not know yet what its changes are changes of. They are held; when the record
/// is there they are settled against it: stored decisions win, segments are newer than the stored ones.
final class VisitorRecords: Sendable {
    let memory: VisitorMemory
    /// The way to the app's store, if it gave one.
    let writer: WriteBehind?
    let source: Source?
    /// Whether the journal keeps rows for claims until the store has them.
    let keepsRows: Bool
    let time: any TimeSource
    let log: Diagnostics
    let state: Mutex<State>
    /// Makes the journal forget rows.
    let forget: @Sendable ([Int64]) -> Void
    /// Opens once the journal's claims have been read, as many as there is room for.
    let isRestored = Latch()
    let journalReads = ExclusiveCall()
    /// Calls of the store's `load`.
    let loads: TimedCalls
    /// What begins loads. A decision for a new visitor waits for none, and does not wake the thread that does.
    let beginnings: Rounds<QueuedLoad>
    /// The first row of a claim of this process.
    let firstOwn = Atomic(Int64.max)

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
        /// Visitors for whom calls of `load` have not returned, with how many.
        var loading: [PropertyKey: Int] = [:]
        /// Changes that found no room, and whose rows, if there are any to come, are not known.
        var lost = 0
        /// Changes that found no room, and whose rows are in the journal.
        var spilled = 0
        /// From where the journal is to be read for claims that nobody in memory keeps; `nil` if there are none.
        var spilledFrom: Int64?
        /// Up to where.
        var spilledTo: Int64 = 0
        /// Loads that held changes for which there was no room, with how many of their rows may yet come.
        var refusedLoads: [Int: Int] = [:]
        /// Whether there were more of those than are remembered.
        var hasForgottenLoads = false
        /// Whether claims of a process that has ended came from elsewhere, and nobody settles them yet.
        var hasTakenOver = false
        /// Visitors whose claims were read and are not settled.
        var restoredCount = 0
        var restoring: Task<Void, Never>?
        /// Conversions that wait for records.
        var deferredCount = 0
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
        keepsRows = source?.journal != nil
        self.forget = forget
        writer = source.map { source in
            WriteBehind(
                source.store, policy: source.policy, surroundings: surroundings, log: log, hub: hub, forget: forget)
        }
        time = surroundings.time
        loads = TimedCalls(within: source?.policy.timeout ?? .zero, by: time)
        beginnings = Rounds(every: .milliseconds(4), by: time)
        self.log = log
        state = Mutex(State(generator: surroundings.makeGenerator()))
        if !keepsRows { isRestored.open() }
        writer?.whenRoom { [weak self] in self?.restoreIfRoom() }
        writer?.whenSettled { [weak self] in self?.didSettle($0, $1, storing: $2) }
    }

    /// Number of visitors whose changes are not in the store yet, those held back too, and of changes that found no room.
    /// It takes time linear to them.
    var unsavedCount: Int {
        guard let writer else { return 0 }
        let open = memory.collect { key, visitor in visitor.isUnsaved ? key : nil }
        return writer.unsavedCount(with: open) + state.withLock { $0.lost + $0.spilled }
    }

    /// What came of a commit.
    enum Commit: Sendable, Equatable {
        /// The changes are part of the record, or will be, and are kept there meanwhile.
        case made(KeyedClaim.Keeper)
        /// Nothing changed, because others claimed this before.
        case taken(VisitorClaim)
    }

    /// Makes `changes` part of the visitor's record, for all of their contexts, unless some of what they claim is taken.
    ///
    /// - Parameters:
    ///   - claim: the decisions and goals among the changes, and decisions that are reported without being stored.
    ///   - load: the load that the context waits for; its changes are held until then.
    ///   - isAnnounced: whether ``didJournal(_:as:)`` follows. Nothing of the visitor is saved before.
    func commit(
        _ changes: [VisitorStateChange], claiming claim: VisitorClaim, for key: PropertyKey, during load: Int? = nil,
        isAnnounced: Bool = false
    ) -> Commit {
        let result = memory.change(key) { part, key -> Commit in
            let known = claim.isEmpty ? nil : part.records.value(of: key)
            // `nil` if nothing is open about the visitor, and a `nil` within if nothing is decided there.
            let held = part.withOpen(key) { open -> Commit? in
                let isHolding = open.load?.held.isEmpty == false
                if let earlier = claim.conflict(with: known, and: isHolding ? open.load?.held : nil) {
                    return .taken(earlier)
                }
                guard !changes.isEmpty, let load, open.load?.number == load else { return nil }
                open.load?.held.append(claim, making: changes, isAnnounced: isAnnounced)
                return .made(.load(load))
            }
            if let held = held ?? nil { return held }
            if held == nil, let earlier = claim.conflict(with: known, and: nil) { return .taken(earlier) }
            if changes.isEmpty { return .made(.writer) }
            part.update(key) { record in for change in changes { record.apply(change) } }
            guard let writer else { return .made(.writer) }
            var delta = VisitorState()
            for change in changes { delta.apply(change) }
            let unsaved = WriteBehind.Unsaved(
                changes: delta, replaced: claim.replaced, announced: isAnnounced ? 1 : 0)
            let isKept = writer.add(unsaved, for: key)
            part.open[key]?.note(delta, isKept: isKept)
            return .made(isKept ? .writer : .journal)
        }
        if result == .made(.journal) {
            state.withLock { $0.lost += 1 }
            didRefuse()
        }
        return result
    }

    /// Takes the journal's answer about a claim that was announced: its row, or `nil` if the journal could not take it.
    /// What follows from it may be saved now.
    func didJournal(_ claim: KeyedClaim, as row: Int64?) {
        noteOwn(row)
        switch claim.keeper {
        case .load(let number):
            let answer = memory.change(claim.key) { part, key -> Answer? in
                let answer = part.withOpen(key) { open -> Answer? in
                    // It does not end before.
                    guard open.load?.number == number else { return nil }
                    if let row { open.load?.held.rows.append(row) } else { open.load?.held.late += 1 }
                    open.load?.held.announced -= 1
                    return open.load?.held.announced == 0 ? open.load?.answer : nil
                }
                return answer ?? nil
            }
            // Other contexts wait for it too, and the caller holds the lock of one.
            if let answer { Task { endLoad(number, for: claim.key, with: answer) } }
        case .writer:
            writer?.endAnnouncement(for: claim.key, row: row)
        case .journal:
            if let row { didFindRow(row) }
        }
    }

    /// Takes the row of a claim that the journal could not take at first.
    func didJournalLate(_ claim: KeyedClaim, as row: Int64) {
        noteOwn(row)
        let key = claim.key
        switch claim.keeper {
        case .load(let number):
            let isHeld = memory.change(key) { part, key -> Bool in
                guard part.open[key]?.load?.number == number else { return false }
                part.open[key]?.load?.held.rows.append(row)
                part.open[key]?.load?.held.late -= 1
                return true
            }
            if isHeld { return }
            let isKept = state.withLock { $0.settleLateRow(row, ofLoad: number) }
            if isKept { writer?.addRows([row], for: key) } else { restoreIfRoom() }
        case .writer: writer?.addRows([row], for: key)
        case .journal: didFindRow(row)
        }
    }

    private func noteOwn(_ row: Int64?) {
        if let row, row < firstOwn.load(ordering: .relaxed) { firstOwn.min(row, ordering: .relaxed) }
    }

    /// Says that the writer had no room for changes.
    func didRefuse() {
        if let writer {
            log.losses.add(
                1,
                of: LossLog.Loss(
                    cause: .storeFull, level: .warn,
                    message:
                        "changes of visitors' records were dropped since the start, except for what a journal keeps: "
                        + "storeQueueCapacity (\(writer.policy.capacity)) visitors wait for the visitor store. Check the "
                        + "store, raise storeQueueCapacity, or set a journal."))
        }
        restoreIfRoom()
    }

    /// Takes the row of changes for which there was no room.
    private func didFindRow(_ row: Int64) {
        state.withLock { state in
            state.lost -= 1
            state.spill([row])
        }
        restoreIfRoom()
    }

    /// The goals that the visitor triggered, as far as memory knows.
    func goals(_ key: PropertyKey) -> JSObject { memory.record(key)?.goals ?? JSObject() }
}

extension VisitorRecords.State {
    /// As many as there may be events in memory whose rows are to come.
    private static var refusedLoadLimit: Int { 10_000 }

    /// Takes note that the writer had no room for what a load held.
    mutating func refuse(_ held: HeldChanges, ofLoad number: Int) {
        spill(held.rows)
        lost += held.rows.isEmpty ? max(1, held.late) : held.late
        if held.late == 0 { return }
        if refusedLoads.count < Self.refusedLoadLimit {
            refusedLoads[number] = held.late
        } else {
            hasForgottenLoads = true
        }
    }

    /// Takes the row of a claim that a load held which is over. Returns whether the writer took what it held; if that is not
    /// known, reading the row tells.
    fileprivate mutating func settleLateRow(_ row: Int64, ofLoad number: Int) -> Bool {
        if let late = refusedLoads[number] {
            refusedLoads[number] = late > 1 ? late - 1 : nil
            lost -= 1
        } else if !hasForgottenLoads {
            return true
        }
        spill([row])
        return false
    }

    /// Takes note of changes whose rows are in the journal only.
    mutating func spill(_ rows: [Int64]) {
        guard let first = rows.min() else { return }
        spilled += 1
        spilledFrom = min(spilledFrom ?? first, first)
        spilledTo = max(spilledTo, rows.max() ?? first)
    }
}

extension VisitorClaim {
    /// What others claimed before, by what is known and what contexts hold of it that do not know it; `nil` if the claim
    /// holds.
    fileprivate func conflict(with known: VisitorState?, and held: HeldChanges?) -> VisitorClaim? {
        if isEmpty || PlantedFault.isPlanted("claim-not-checked") { return nil }
        if PlantedFault.isPlanted("held-claim-not-checked"), held != nil { return nil }
        guard let held else { return known.flatMap { conflict(with: $0) } }
        let known = known ?? VisitorState()
        return conflict(with: known.merging(held.changes(of: known)))
    }
}
