import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDKCore

/// The results of a call's effects: changes of the visitor's record, the claim on it, and events.
struct CommitParts {
    var changes: [VisitorStateChange] = []
    private(set) var claim = VisitorClaim()
    private(set) var events: [(event: QueuedEvent, fact: LedgerEvent.Fact?)] = []
    private let repeatsValues: Bool

    /// - Parameter repeatsValues: whether a conversion's values are reported although its goal was triggered before.
    init(repeatsValues: Bool) { self.repeatsValues = repeatsValues }

    var isEmpty: Bool { changes.isEmpty && events.isEmpty }

    mutating func add(_ change: VisitorStateChange, knowing known: JSObject) {
        changes.append(change)
        switch change {
        case .goal(let goal): claim.goals.append(goal)
        case .bucketing(let experience, let variation):
            claim.decisions.append(
                VisitorClaim.Decision(experience: experience, variation: variation, replaced: known[experience]))
        case .segments, .locations: break
        }
    }

    /// Adds an event. The change that it reports must have been added before.
    mutating func add(_ event: TrackingEvent, _ queued: QueuedEvent, knowing known: JSObject) {
        switch event {
        case .bucketing(let experienceID, _):
            if claim.decisions.last?.experience.name.hasSameCodeUnits(as: experienceID) ?? false {
                events.append((queued, .decision(experience: experienceID)))
            } else {
                let experience = PropertyKey(experienceID)
                claim.decisions.append(
                    VisitorClaim.Decision(experience: experience, variation: nil, replaced: known[experience]))
                events.append((queued, nil))
            }
        case .conversion(_, let goalData, _):
            let isRepeated = goalData != nil && repeatsValues
            events.append((queued, isRepeated ? nil : claim.goals.last.map { .goal($0.name) }))
        }
    }
}
