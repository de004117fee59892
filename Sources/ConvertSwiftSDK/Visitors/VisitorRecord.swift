import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// What is known of one visitor: one record for all of the visitor's contexts.
///
/// With a ledger, the record is what the ledger has, with the changes over it that are on their way there. Without one
/// it is all there is.
///
/// Locks are taken in this order: a context's, the record's, the writer's, the delivery's.
final class VisitorRecord: Sendable {
    /// The visitor's key, `account-project-visitor`.
    let key: PropertyKey
    /// The ``revision`` of a record in which nothing is.
    static let firstRevision = 1
    private let revisionNumber = Atomic(VisitorRecord.firstRevision)
    let guarded = Mutex(Guarded())

    struct Guarded {
        var state = VisitorState()
        /// Whether the ledger's record is part of it.
        var isKnown = false
        /// Changes that the ledger has not confirmed, oldest first.
        var queued = FIFOQueue<VisitorChanges>()
        /// The place of the newest ones in the ledger's queue.
        var ticket: LedgerWriter.Ticket = 0
        /// Number of ``queued`` changes that are being stored now.
        var storingCount = 0
        /// Number of changes that were confirmed.
        var storedCount = 0
        /// The read of the ledger's record that is under way.
        var load: Load?
        var conversions = WaitingConversions()
    }

    /// A read of the ledger's record.
    struct Load {
        /// ``Guarded/storedCount`` when it began.
        let storedCount: Int
        /// Opens at its end, behind the conversions that waited for it.
        let end = Latch()
        /// What it found, once it is over and waits for what is being stored.
        var answer: Result<VisitorState?, any Error>?
    }

    init(key: PropertyKey) { self.key = key }

    /// Another number each time the record changes.
    var revision: Int { @inline(__always) get { revisionNumber.load(ordering: .acquiring) } }

    /// The record, and its ``revision``.
    var current: (state: VisitorState, revision: Int) {
        guarded.withLock { ($0.state, revisionNumber.load(ordering: .relaxed)) }
    }

    /// The place in the ledger's queue of what any context of the visitor did last.
    var ticket: LedgerWriter.Ticket { guarded.withLock { $0.ticket } }

    /// What came of a commit.
    enum Commit: Sendable {
        /// The changes are part of the record, which had and has these revisions.
        case made(from: Int, to: Int)
        /// Nothing changed, because others claimed some of it before.
        case taken
        /// Nothing changed, because the change was refused.
        case refused(Refusal)
    }

    /// Why changes are refused.
    enum Refusal: Sendable {
        case shutDown, overflow
    }

    /// What became of changes that were handed on.
    enum Handover: Sendable {
        /// They are on their way to the ledger, at this place in its queue.
        case queued(LedgerWriter.Ticket)
        /// There is nothing further to be done for them.
        case done
        case refused(Refusal)
    }

    /// Makes `changes` part of the record, unless some of what they claim is taken.
    ///
    /// - Parameter handOn: hands the changes on, to be stored and reported, under the record's lock: those of one
    ///   visitor are handed on in the order in which they are made.
    func commit(
        _ changes: [VisitorStateChange], claiming claim: VisitorClaim, handOn: (VisitorChanges) -> Handover
    ) -> Commit {
        guarded.withLock { guarded in
            guard claim.holds(over: guarded.state) else { return .taken }
            var delta = VisitorState()
            for change in changes { delta.apply(change) }
            let queued = VisitorChanges(delta, replaced: claim.replaced)
            switch handOn(queued) {
            case .refused(let outcome): return .refused(outcome)
            case .queued(let ticket):
                Invariant.check(ticket > guarded.ticket, "the changes of a visitor are added in their order")
                guarded.queued.append(queued)
                guarded.ticket = ticket
            case .done: break
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

    /// The oldest `count` changes are being stored from now on.
    func beginStoring(_ count: Int) {
        guarded.withLock { guarded in
            Invariant.check(guarded.storingCount == 0, "one group is being stored at a time")
            Invariant.check(count <= guarded.queued.count, "what is being stored is a part of what waits")
            guarded.storingCount = count
        }
    }

    /// The oldest `count` changes were stored, and this is the ledger's record then; or with `nil`, it is not known
    /// whether they were, and they are stored again later. `ticket` is the newest place in the ledger's queue that is
    /// stored.
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

    /// Takes note that the ledger's record is to be read, unless it is being read. Returns whether it is.
    ///
    /// - Parameter isShared: whether it is to be read although it is known, because others may have changed it.
    func beginLoad(isShared: Bool) -> Bool {
        guarded.withLock { guarded in
            if guarded.load != nil || guarded.isKnown && !isShared { return false }
            guarded.load = Load(storedCount: guarded.storedCount)
            return true
        }
    }

    /// Takes what was read.
    func endLoad(_ answer: Result<VisitorState?, any Error>) {
        let end = guarded.withLock { guarded -> Latch? in
            guarded.load?.answer = answer
            return endLoad(&guarded)
        }
        if let end { performConversions(andOpen: end) }
    }

    /// Ends the load if it has an answer and nothing is being stored: whether that is part of the answer is not known,
    /// and what is stored comes with the record anyway.
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

    /// What opens when the load that is under way is over; `nil` if none is.
    var loadEnd: Latch? { guarded.withLock { $0.load?.end } }

    /// Forgets everything.
    ///
    /// - Parameter drop: takes what is on its way to the ledger from there, under the record's lock: what comes later
    ///   stays.
    func forget(_ drop: () -> Void = {}) {
        // They are held until the lock is given back: with one of them, a context may end.
        let waiting = guarded.withLock { guarded in
            drop()
            // Their places stay: the writer counts them.
            _ = guarded.queued.updatePrefix(.max) { $0 = VisitorChanges() }
            forgetKnown(&guarded)
            return guarded.conversions.takeWaiting()
        }
        for conversion in waiting {
            conversion.context.engine.records.deferralPlaces.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Forgets everything but what is on its way to the ledger, which has just forgotten the visitor.
    func didForget() { guarded.withLock { forgetKnown(&$0) } }

    private func forgetKnown(_ guarded: inout Guarded) {
        // A load that is under way may have read what is forgotten.
        guarded.storedCount += 1
        setKnown(VisitorState(), &guarded)
    }
}
