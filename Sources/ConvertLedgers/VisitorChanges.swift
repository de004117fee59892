import ConvertConcurrency
public import ConvertECMAScript
public import ConvertSwiftSDKCore

/// Changes of a visitor's record, and the decisions whose place they take.
public struct VisitorChanges: Sendable, Equatable {
    /// What changed.
    public var changes: VisitorState
    /// By experience, the stored decisions that the one among ``changes`` was made in knowledge of. It takes the place
    /// of those, and of no others: two machines that decide differently at once agree on what was stored first.
    public var replaced: [PropertyKey: [JSValue]]

    /// Changes, and the stored decisions that they were made in knowledge of.
    public init(_ changes: VisitorState = VisitorState(), replaced: [PropertyKey: [JSValue]] = [:]) {
        self.changes = changes
        self.replaced = replaced
    }

    /// Appends changes that were made after these.
    public mutating func append(_ newer: VisitorChanges) {
        for member in newer.changes.bucketing ?? JSObject() {
            if let older = changes.bucketing?[member.key] {
                // It may be stored already, without an answer that says so.
                replaced[member.key, default: []].append(older)
            } else {
                replaced[member.key] = newer.replaced[member.key]
            }
        }
        changes = changes.merging(newer.changes)
    }

    /// The record with the changes merged over it, but for decisions where another one is stored that was not known.
    public func merged(over stored: VisitorState) -> VisitorState {
        var changes = changes
        for member in self.changes.bucketing ?? JSObject() {
            guard let earlier = stored.bucketing?[member.key], earlier != member.value,
                !(replaced[member.key] ?? []).contains(earlier), !PlantedFault.isPlanted("stored-decision-loses")
            else { continue }
            changes.bucketing?[member.key] = nil
        }
        return stored.merging(changes)
    }

    /// Whether `record` has the goals, and for every decision a decision.
    package func isContained(in record: VisitorState) -> Bool {
        (changes.goals ?? JSObject()).allSatisfy { record.goals?[$0.key] != nil }
            && (changes.bucketing ?? JSObject()).allSatisfy { record.bucketing?[$0.key] != nil }
    }
}
