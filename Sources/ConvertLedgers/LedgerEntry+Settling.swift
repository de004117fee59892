import ConvertConcurrency
package import ConvertECMAScript
public import ConvertSwiftSDKCore

/// The result of settling an entry, for the ledger to store.
public struct LedgerSettlement: Sendable, Equatable {
    /// The outcome to return. Its record is to be stored.
    public let outcome: LedgerOutcome
    /// The events to store, in order. Some of them may be stored already.
    public let events: [LedgerEvent]
}

extension LedgerEntry {
    /// Computes the result of the entry on top of the visitor's stored state. All ledgers use this rule.
    ///
    /// * A decision counts if no decision is stored for its experience, or if the stored one
    ///   is in ``VisitorChanges/replaced``.
    /// * A goal counts if the visitor did not trigger it before.
    /// * Segments are merged, and the list of locations is replaced.
    /// * An event that reports a decision or a goal is dropped unless the decision or goal counts with this entry.
    ///
    /// An entry may be settled twice, because the answer of the first attempt was lost. Then its decisions, goals and
    /// events are stored already, and its events are kept.
    /// - Parameters:
    ///   - stored: the visitor's stored state; `nil` if nothing is stored.
    ///   - isStored: whether the event with an id is stored. Called only for events whose fact is not new.
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
    /// Whether the step from `earlier` to `record` made the fact true.
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
