import ConvertConcurrency
package import ConvertECMAScript
public import ConvertSwiftSDKCore

/// What storing an entry comes to.
public struct LedgerSettlement: Sendable, Equatable {
    /// What the ledger answers. It has the visitor's record, which is to be stored.
    public let outcome: LedgerOutcome
    /// The events that are to be stored, in order. Some of them may be stored already.
    public let events: [LedgerEvent]
}

extension LedgerEntry {
    /// What becomes of the entry over what is stored of its visitor. This is the rule of all ledgers.
    ///
    /// * A decision counts if none is stored for its experience, or one that it was made to replace.
    /// * A goal counts if it was not triggered before.
    /// * Segments are merged, and the list of locations is replaced.
    /// * An event that reports a decision or goal is dropped unless that counts with this entry.
    ///
    /// An entry may be offered twice, because the answer of the first attempt was lost. Then it meets itself: its
    /// decisions and goals are stored already, and so are its events, which stay.
    /// - Parameters:
    ///   - stored: what is stored of the visitor; `nil` if nothing is.
    ///   - isStored: whether the event with this id is stored. It is asked only where a fact was stored before.
    public func settled(
        over stored: VisitorState?, isStored: (EventID) throws -> Bool
    ) rethrows -> LedgerSettlement {
        let earlier = stored ?? VisitorState()
        let record = changes.merged(over: earlier)
        let unreported = try events.filter { event in
            guard let fact = event.fact, !fact.isNew(in: record, over: earlier) else { return false }
            return try !isStored(event.id) || PlantedFault.isPlanted("own-event-not-recognized")
        }
        let kept = events.filter { event in !unreported.contains { $0.id == event.id } }
        Invariant.check(kept.count + unreported.count == events.count, "every event is stored or dropped")
        Invariant.check(changes.isContained(in: record), "what an entry changes is in the record after it")
        Invariant.inspect {
            // Lists of segments may lose duplicates.
            let again = changes.merged(over: record)
            Invariant.check(
                again.bucketing == record.bucketing && again.goals == record.goals,
                "an entry that is offered twice decides and counts nothing more")
        }
        Invariant.check(
            (earlier.goals ?? JSObject()).allSatisfy { record.goals?[$0.key] != nil }, "a goal that counted stays")
        Invariant.check(
            (earlier.bucketing ?? JSObject()).allSatisfy { record.bucketing?[$0.key] != nil },
            "an experience that was decided stays decided")
        return LedgerSettlement(
            outcome: LedgerOutcome(record: record, unreported: unreported.map(\.id)), events: kept)
    }
}

extension LedgerEvent.Fact {
    /// Whether the fact came about with the step from `earlier` to `record`.
    fileprivate func isNew(in record: VisitorState, over earlier: VisitorState) -> Bool {
        switch self {
        case .decision(let experience):
            let key = PropertyKey(experience)
            return earlier.bucketing?[key] != record.bucketing?[key]
        case .goal(let goal):
            return !earlier.hasTriggered(PropertyKey(goal)) || PlantedFault.isPlanted("goal-counts-again")
        }
    }
}

extension VisitorState {
    /// Whether the goal is stored as triggered.
    package func hasTriggered(_ goal: PropertyKey) -> Bool { goals?[goal]?.isTruthy ?? false }
}
