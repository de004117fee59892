import ConvertConcurrency
import ConvertECMAScript
import ConvertLedgers
import ConvertSwiftSDKCore

/// What a call claims of a visitor's record: decisions that it stores or reports, and goals that it triggers.
///
/// The first claim counts, for all of the visitor's contexts. A decision names the one that it replaces, and holds only
/// while there is no other one.
struct VisitorClaim: Sendable, Equatable {
    /// A decision for an experience.
    struct Decision: Sendable, Equatable {
        let experience: PropertyKey
        /// The variation's id; `nil` for a decision that is reported and not stored.
        let variation: JSValue?
        /// The stored decision that it was made in knowledge of, if there was one.
        var replaced: JSValue?
    }

    var decisions: [Decision] = []
    var goals: [PropertyKey] = []

    /// Whether nothing of it was claimed before, by what `record` has.
    func holds(over record: VisitorState) -> Bool {
        if PlantedFault.isPlanted("claim-not-checked") { return true }
        let isFree = decisions.allSatisfy { decision in
            let stored = record.bucketing?[decision.experience]
            return stored == nil || stored == decision.replaced
        }
        return isFree && goals.allSatisfy { !record.hasTriggered($0) }
    }

    /// Whether `record` has all that the claim stores.
    func isMade(in record: VisitorState) -> Bool {
        decisions.allSatisfy { $0.variation == nil || record.bucketing?[$0.experience] == $0.variation }
            && goals.allSatisfy { record.hasTriggered($0) }
    }

    /// By experience, the stored decisions whose place the claim's decisions take.
    var replaced: [PropertyKey: [JSValue]] {
        var replaced: [PropertyKey: [JSValue]] = [:]
        for decision in decisions {
            if let earlier = decision.replaced { replaced[decision.experience] = [earlier] }
        }
        return replaced
    }
}
