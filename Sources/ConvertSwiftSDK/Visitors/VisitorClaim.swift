import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// What a call claims of a visitor's record: decisions that it stores or reports, and goals that it triggers.
///
/// The first claim counts, for all of the visitor's contexts and over a restart. A decision names the one that it replaces,
/// and holds only while there is no other one. So claims can be settled, in their order, against the record in memory, against
/// what is loaded from the store, and by a later process that finds them in the journal, and come to the same. (Not so a
/// visitor who is forced to and fro between two variations while the store has no room: to a claim that is read late the way
/// back looks like the beginning.)
struct VisitorClaim: Sendable, Equatable {
    /// A decision for an experience.
    struct Decision: Sendable, Equatable {
        let experience: PropertyKey
        /// The variation's id; `nil` for a decision that is reported and not stored.
        let variation: JSValue?
        /// The stored decision that it was made in knowledge of, if there was one.
        var replaced: JSValue?

        /// Whether it may take the place of `stored`.
        func holds(over stored: JSValue?) -> Bool { stored == nil || stored == replaced }
    }

    var decisions: [Decision] = []
    var goals: [PropertyKey] = []

    var isEmpty: Bool { decisions.isEmpty && goals.isEmpty }

    /// Whether something of it is stored, and not only reported. Then the journal has a row for it.
    var isStored: Bool { !goals.isEmpty || decisions.contains { $0.variation != nil } }

    /// The changes of `record` that follow from the claim, as far as it holds.
    ///
    /// - Parameter own: experiences for which an earlier claim held. One that replaces a decision is later than that one, also
    ///   where the claim between the two was lost.
    func changes(of record: VisitorState, after own: inout Set<PropertyKey>) -> VisitorState {
        var changes = VisitorState()
        for decision in decisions {
            guard let variation = decision.variation else { continue }
            let stored = record.bucketing?[decision.experience]
            let isLater = decision.replaced != nil && own.contains(decision.experience)
            guard
                stored == variation || isLater || decision.holds(over: stored)
                    || PlantedFault.isPlanted("stored-decision-loses")
            else { continue }
            own.insert(decision.experience)
            if stored == variation { continue }
            changes.apply(.bucketing(experienceID: decision.experience, variationID: variation))
        }
        for goal in goals where !record.hasTriggered(goal) { changes.apply(.goal(goal)) }
        return changes
    }

    /// What others claimed of `record` before; `nil` if the claim holds.
    func conflict(with record: VisitorState) -> VisitorClaim? {
        var earlier = VisitorClaim()
        for decision in decisions {
            let stored = record.bucketing?[decision.experience]
            if decision.holds(over: stored) { continue }
            earlier.decisions.append(Decision(experience: decision.experience, variation: stored))
        }
        earlier.goals = goals.filter { record.hasTriggered($0) }
        return earlier.isEmpty ? nil : earlier
    }
}

extension VisitorState {
    /// Whether the goal is stored as triggered.
    func hasTriggered(_ goal: PropertyKey) -> Bool { goals?[goal]?.isTruthy ?? false }
}

extension VisitorClaim {
    /// The visitor's key and the claim that a row's `record` holds, or `nil` if it holds none.
    static func read(_ record: JSObject) -> (key: String, claim: VisitorClaim)? {
        guard let object = record["claim"]?.objectValue, let key = object["visitor"]?.stringValue else { return nil }
        let replaced = object["replaced"]?.objectValue
        var claim = VisitorClaim()
        for member in object["bucketing"]?.objectValue ?? JSObject() {
            claim.decisions.append(
                Decision(experience: member.key, variation: member.value, replaced: replaced?[member.key]))
        }
        if PlantedFault.isPlanted("goals-not-restored") { return (key, claim) }
        claim.goals = (object["goals"]?.arrayValue ?? []).compactMap { $0.stringValue.map { PropertyKey($0) } }
        return (key, claim)
    }
}
