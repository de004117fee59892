import ConvertECMAScript
import ConvertSwiftSDKCore

/// Changes of a visitor's record that wait until it is known what they are changes of, in the order in which they were made.
struct HeldChanges: Sendable {
    private var claims: [VisitorClaim] = []
    /// What was changed without being claimed, which is newer than what is stored.
    private var others = VisitorState()
    /// The journal's rows that stand for it.
    var rows: [Int64] = []
    /// How many of the changes the journal has yet to answer for.
    var announced = 0
    /// How many of them the journal could not take, and may yet.
    var late = 0

    var isEmpty: Bool { claims.isEmpty && others.isEmpty && rows.isEmpty }

    /// - Parameter isAnnounced: whether the journal has yet to answer for it.
    mutating func append(
        _ claim: VisitorClaim, making changes: [VisitorStateChange] = [], isAnnounced: Bool = false
    ) {
        if isAnnounced { announced += 1 }
        if !claim.isEmpty { claims.append(claim) }
        for change in changes {
            switch change {
            case .bucketing, .goal: break
            case .locations, .segments: others.apply(change)
            }
        }
    }

    /// The changes of `stored` that follow from it.
    func changes(of stored: VisitorState) -> VisitorState {
        var (record, changes) = (stored, VisitorState())
        var own: Set<PropertyKey> = []
        for claim in claims {
            let next = claim.changes(of: record, after: &own)
            record = record.merging(next)
            changes = changes.merging(next)
        }
        return changes.merging(others)
    }
}
