import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore

/// The state of one visitor, shared by all of the visitor's contexts.
///
/// With a ledger, the record is the ledger's record with unconfirmed changes merged over it. Without a ledger, the
/// record exists only here.
///
/// Locks are acquired in this order: a context's, the record's, the writer's, the delivery's.
final class VisitorRecord: Sendable {
    /// The visitor's key, `account-project-visitor`.
    let key: PropertyKey
    /// The ``revision`` of an empty record.
    static let firstRevision = 1
    private let revisionNumber = Atomic(VisitorRecord.firstRevision)
    let guarded = Mutex(Guarded())

    struct Guarded {
        var state = VisitorState()
        /// Whether the ledger's record is included.
        var isKnown = false
        /// Changes that the ledger has not confirmed, oldest first.
        var queued = FIFOQueue<VisitorChanges>()
        /// The ticket of the newest changes in the ledger writer's queue.
        var ticket: LedgerWriter.Ticket = 0
        /// The number of ``queued`` changes that are being stored now.
        var storingCount = 0
        /// The number of confirmed changes.
        var storedCount = 0
        /// The running load of the ledger's record.
        var load: Load?
        var conversions = WaitingConversions()
    }

    /// A load of the ledger's record.
    struct Load {
        /// ``Guarded/storedCount`` at the beginning of the load.
        let storedCount: Int
        /// Opens when the load has ended and the conversions that waited for it were performed.
        let end = Latch()
        /// The loaded record, while the load waits for changes that are being stored.
        var answer: Result<VisitorState?, any Error>?
    }

    init(key: PropertyKey) { self.key = key }

    /// A number that changes each time the record changes.
    var revision: Int { @inline(__always) get { revisionNumber.load(ordering: .acquiring) } }

    /// The record, and its ``revision``.
    var current: (state: VisitorState, revision: Int) {
        guarded.withLock { ($0.state, revisionNumber.load(ordering: .relaxed)) }
    }

    /// The ticket of the visitor's newest changes, of any context.
    var ticket: LedgerWriter.Ticket { guarded.withLock { $0.ticket } }

    /// The result of a commit.
    enum Commit: Sendable {
        /// The changes are part of the record. `from` and `to` are the revisions before and after.
        case made(from: Int, to: Int)
        /// Nothing changed, because other contexts had claimed some of it.
        case taken
        /// Nothing changed, because the change was refused: `shutDown` or `overflow`.
        case refused(RejectionReason)
    }

    /// The result of handing changes on.
    enum Handover: Sendable {
        /// The changes are in the ledger writer's queue, with this ticket.
        case queued(LedgerWriter.Ticket)
        /// Nothing further has to be done for the changes.
        case done
        /// There is no room for the changes, which are lost. The events are sent from memory, because the ledger has
        /// failed for long.
        case unstored
        /// `shutDown` or `overflow`.
        case refused(RejectionReason)
    }

    /// Makes `changes` part of the record, unless some of their claim is taken.
    ///
    /// - Parameter handOn: passes the changes on, to be stored and reported. Called under the record's lock, so that a
    ///   visitor's changes are passed on in the order in which they are made.
    func commit(
        _ changes: [VisitorStateChange], claiming claim: VisitorClaim, handOn: (VisitorChanges) -> Handover
    ) -> Commit {
        guarded.withLock { guarded in
            guard claim.holds(over: guarded.state) else { return .taken }
            var delta = VisitorState()
            for change in changes { delta.apply(change) }
            let queued = VisitorChanges(delta, replaced: claim.replaced)
            switch handOn(queued) {
            case .refused(let reason): return .refused(reason)
            case .queued(let ticket):
                Invariant.check(ticket > guarded.ticket, "the changes of a visitor are added in their order")
                guarded.queued.append(queued)
                guarded.ticket = ticket
            case .done, .unstored: break
            }
            let revision = revisionNumber.load(ordering: .relaxed)
            if changes.isEmpty { return .made(from: revision, to: revision) }
            for change in changes { guarded.state.apply(change) }
            Invariant.check(claim.isMade(in: guarded.state), "what a call claims is in the record after it")
            return .made(from: revision, to: bump())
        }
    }

    @discardableResult
    private func bump() -> Int { revisionNumber.wrappingAdd(1, ordering: .releasing).newValue }

    /// Records that the oldest `count` changes are being stored.
    func beginStoring(_ count: Int) {
        guarded.withLock { guarded in
            Invariant.check(guarded.storingCount == 0, "one group is being stored at a time")
            Invariant.check(count <= guarded.queued.count, "what is being stored is a part of what waits")
            guarded.storingCount = count
        }
    }

    /// Records that the oldest `count` changes were stored, and that the ledger's record is now `record`. With `nil`,
    /// it is unknown whether they were stored, and they will be stored again. `ticket` is the newest place in the
    /// ledger's queue that is stored.
    func endStoring(_ count: Int, as record: VisitorState?, storedUpTo ticket: LedgerWriter.Ticket) {
        let end = guarded.withLock { guarded -> Latch? in
            Invariant.check(guarded.storingCount == count, "what was stored is what was being stored")
            guarded.storingCount = 0
            if let record {
                guarded.storedCount += count
                for _ in 0..<count where !PlantedFault.isPlanted("stored-changes-stay-queued") {
                    _ = guarded.queued.popFirst()
                }
                Invariant.check(
                    guarded.queued.isEmpty || guarded.ticket > ticket, "what is stored does not wait any longer")
                if !PlantedFault.isPlanted("outcome-not-taken") { setKnown(record, &guarded) }
            }
            return endLoad(&guarded)
        }
        if let end { performConversions(andOpen: end) }
    }

    private func setKnown(_ record: VisitorState, _ guarded: inout Guarded) {
        var state = record
        for changes in guarded.queued.elements where !PlantedFault.isPlanted("queued-changes-forgotten") {
            state = changes.merged(over: state)
        }
        guarded.isKnown = true
        Invariant.check(
            guarded.queued.elements.allSatisfy { $0.isContained(in: state) },
            "what waits for the ledger is part of the record")
        if state == guarded.state { return }
        guarded.state = state
        if !PlantedFault.isPlanted("revision-not-bumped") { bump() }
    }

    // MARK: Loading

    /// Records the beginning of a load, unless one is running. Returns whether the load must be made.
    ///
    /// - Parameter isShared: whether to load the record although it is known, because other processes may have changed
    ///   it.
    func beginLoad(isShared: Bool) -> Bool {
        guarded.withLock { guarded in
            if guarded.load != nil || guarded.isKnown && !isShared { return false }
            guarded.load = Load(storedCount: guarded.storedCount)
            return true
        }
    }

    /// Records the result of a load.
    func endLoad(_ answer: Result<VisitorState?, any Error>) {
        let end = guarded.withLock { guarded -> Latch? in
            guarded.load?.answer = answer
            return endLoad(&guarded)
        }
        if let end { performConversions(andOpen: end) }
    }

    /// Ends the load if it has an answer and no changes are being stored. While changes are being stored, it is unknown
    /// whether the answer includes them; the stored record arrives with their outcome anyway.
    private func endLoad(_ guarded: inout Guarded) -> Latch? {
        guard let load = guarded.load, let answer = load.answer, guarded.storingCount == 0 else { return nil }
        Invariant.check(load.storedCount <= guarded.storedCount, "the changes that were stored are counted")
        if case .success(let record) = answer,
            guarded.storedCount == load.storedCount || PlantedFault.isPlanted("old-load-taken")
        {
            setKnown(record ?? VisitorState(), &guarded)
        }
        guarded.load = nil
        return load.end
    }

    /// The latch that opens when the running load has ended; `nil` without a load.
    var loadEnd: Latch? { guarded.withLock { $0.load?.end } }

    /// Forgets everything.
    ///
    /// - Parameter drop: removes the visitor's changes from the ledger writer's queue. Called under the record's lock;
    ///   later changes stay.
    func forget(_ drop: () -> Void = {}) {
        // Released after the lock, because a context may end with one of them.
        let waiting = guarded.withLock { guarded in
            drop()
            // Their places stay, because the writer counts them.
            _ = guarded.queued.updatePrefix(.max) { $0 = VisitorChanges() }
            forgetKnown(&guarded)
            return guarded.conversions.takeWaiting()
        }
        for conversion in waiting {
            conversion.context.engine.records.deferrals.leave(conversion.place)
        }
    }

    /// Forgets everything except unconfirmed changes, after the ledger has forgotten the visitor.
    func didForget() { guarded.withLock { forgetKnown(&$0) } }

    private func forgetKnown(_ guarded: inout Guarded) {
        // A running load may have read the forgotten record.
        guarded.storedCount += 1
        setKnown(VisitorState(), &guarded)
    }
}
