import ConvertConcurrency
import ConvertECMAScript
import ConvertLedgers
import ConvertSwiftSDKCore

/// The parts of a visitor's record that a call claims: decisions that it stores or reports, and goals that it triggers.
///
/// The first claim counts, for all of the visitor's contexts. A decision names the stored decision that it replaces,
/// and is valid only if the record has no other decision for the experience.
struct VisitorClaim: Sendable, Equatable {
    /// A decision for an experience.
    struct Decision: Sendable, Equatable {
        let experience: PropertyKey
        /// The variation's id; `nil` for a decision that is reported but not stored.
        let variation: JSValue?
        /// The stored decision that was known when this decision was made; `nil` if no decision was stored.
        var replaced: JSValue?
    }

    var decisions: [Decision] = []
    var goals: [PropertyKey] = []

    /// Whether the claim is valid for `record`: nothing in it was claimed before.
    func holds(over record: VisitorState) -> Bool {
        if PlantedFault.isPlanted("claim-not-checked") { return true }
        let isFree = decisions.allSatisfy { decision in
            let stored = record.bucketing?[decision.experience]
            return stored == nil || stored == decision.replaced
        }
        return isFree && goals.allSatisfy { !record.hasTriggered($0) }
    }

    /// Whether `record` contains everything that the claim stores.
    func isMade(in record: VisitorState) -> Bool {
        decisions.allSatisfy { $0.variation == nil || record.bucketing?[$0.experience] == $0.variation }
            && goals.allSatisfy { record.hasTriggered($0) }
    }

    /// The stored decisions that the claim's decisions replace, by experience.
    var replaced: JSObject {
        var replaced = JSObject()
        for decision in decisions { replaced[decision.experience] = decision.replaced }
        return replaced
    }
}
