import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Records that other machines change too.
extension VisitorRecords {
    /// Takes note of the record as the store has it, now that `changes` were settled: a decision that another machine stored
    /// first counts from now on, and so do goals.
    func didSettle(_ key: PropertyKey, _ changes: VisitorChanges, storing stored: VisitorState) {
        memory.change(key) { part, key in
            guard let known = part.records.value(of: key) else { return }
            var record = stored.merging(known)
            if let writer, state.withLock({ $0.lost + $0.spilled == 0 }) {
                // The store has every write of segments but those that wait.
                record.replaceSegments(from: stored.merging(writer.waiting(key)))
            }
            for member in changes.changes.bucketing ?? JSObject() {
                // What changed meanwhile is newer.
                guard let winner = stored.bucketing?[member.key], known.bucketing?[member.key] == member.value else {
                    continue
                }
                record.apply(.bucketing(experienceID: member.key, variationID: winner))
            }
            part.records.set(record, for: key)
        }
    }

    /// Takes over claims of a process that has ended, and settles them against what is stored. Returns whether there is room for
    /// more.
    func takeOver(_ claims: [JournaledEvent]) -> Bool {
        if !claims.isEmpty {
            take(claims)
            state.withLock { $0.hasTakenOver = true }
            restoreIfRoom()
        }
        return hasRoomToTakeOver
    }
}

extension VisitorClaim {
    /// By experience, the stored decisions whose place the claim's decisions take.
    var replaced: [PropertyKey: [JSValue]] {
        var replaced: [PropertyKey: [JSValue]] = [:]
        for decision in decisions {
            if let earlier = decision.replaced { replaced[decision.experience] = [earlier] }
        }
        return replaced
    }
}

extension VisitorState {
    /// By experience, the decisions in `record` whose place these take.
    func replaced(in record: VisitorState) -> [PropertyKey: [JSValue]] {
        var replaced: [PropertyKey: [JSValue]] = [:]
        for member in bucketing ?? JSObject() {
            if let earlier = record.bucketing?[member.key] { replaced[member.key] = [earlier] }
        }
        return replaced
    }
}
