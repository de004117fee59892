import ConvertConcurrency
public import ConvertECMAScript
public import ConvertSwiftSDKCore

/// Changes to a visitor's record, and the stored decisions that they replace.
public struct VisitorChanges: Sendable, Equatable {
    /// The changes.
    public var changes: VisitorState
    /// By experience id: the stored decision that was known when the decision in ``changes`` was made. The new decision
    /// replaces only that one. So if two machines decide differently at once, both use the decision that was stored
    /// first.
    public var replaced: JSObject

    /// Creates changes, with the stored decisions that they replace.
    public init(_ changes: VisitorState = VisitorState(), replaced: JSObject = JSObject()) {
        self.changes = changes
        self.replaced = replaced
    }

    /// The stored record with the changes merged over it, except decisions for which an unknown decision is stored.
    public func merged(over stored: VisitorState) -> VisitorState {
        var changes = changes
        for member in self.changes.bucketing ?? JSObject() {
            guard let earlier = stored.bucketing?[member.key], earlier != member.value,
                earlier != replaced[member.key], !PlantedFault.isPlanted("stored-decision-loses")
            else { continue }
            changes.bucketing?[member.key] = nil
        }
        return stored.merging(changes)
    }

    /// Whether `record` has all goals of the changes, and a decision for each of their experiences.
    package func isContained(in record: VisitorState) -> Bool {
        (changes.goals ?? JSObject()).allSatisfy { record.goals?[$0.key] != nil }
            && (changes.bucketing ?? JSObject()).allSatisfy { record.bucketing?[$0.key] != nil }
    }
}
