internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Which shares of an experience's visitors get another variation.
struct BucketMoves {
    /// The share that does: of all bucket values, or of those whose visitors have a stored decision.
    let moved: Double
    /// From which variation to which, the largest share first.
    let moves: [ConfigDifference.Move]

    /// The moves of visitors who come back by the way that these go.
    var reversed: [ConfigDifference.Move] {
        moves.map { ConfigDifference.Move(from: $0.to, to: $0.from, share: $0.share) }
    }

    private struct Route: Hashable {
        let from: PropertyKey?
        let to: PropertyKey?
    }

    /// - Parameters:
    ///   - old: the experience as it was; `nil` if it did not exist and gave no visitor a variation.
    ///   - new: the experience as it is.
    ///   - semantics: how variations are found by their ids.
    ///   - isStored: whether visitors are asked about whose decision is stored. It holds as long as the new experience
    ///     has the variation, whatever that is allocated.
    init(
        from old: ProjectConfig.Experience?, to new: ProjectConfig.Experience?, under semantics: RuleSemantics,
        isStored: Bool = false
    ) {
        let before = old.map { BucketRuns($0, under: semantics) }
        let after = new.map { BucketRuns($0, under: semantics) }
        var counts: [Route: Double] = [:]
        var total = 0.0
        let whole = BucketRuns.Run(values: 0..<BucketRuns.count, arm: nil, variation: nil)
        let (oldRuns, newRuns) = (before?.runs ?? [whole], after?.runs ?? [whole])
        // What a visitor is hashed with is the id: with another one the new value has nothing to do with the old.
        let isSameHash = old == nil || new == nil || old?.id.key == new?.id.key
        let names = VariationNames(old, new)
        for first in oldRuns {
            let from = first.variation.flatMap { old?.variations[$0] }
            let stored = isStored ? first.arm.flatMap { old?.storedText(ofArm: $0) } : nil
            // A visitor outside of every arm has no stored decision.
            if isStored, stored == nil { continue }
            // It is stored under the experience's id.
            let kept = isSameHash ? stored.flatMap { new?.variation(id: $0, under: semantics) } : nil
            for second in newRuns {
                let common: Double
                if isSameHash {
                    let low = max(first.values.lowerBound, second.values.lowerBound)
                    let high = min(first.values.upperBound, second.values.upperBound)
                    common = Double(max(0, high - low))
                } else {
                    common = Double(first.values.count) * Double(second.values.count) / Double(BucketRuns.count)
                }
                guard common > 0 else { continue }
                total += common
                let to = (kept ?? second.variation).flatMap { new?.variations[$0] }
                // A variation that has another key now is the same to its visitors.
                if let answer = from?.answer, names.name(answer) == to?.answer { continue }
                let route = Route(from: from?.answer, to: to?.answer)
                if route.from != route.to { counts[route, default: 0] += common }
            }
        }
        moved = total > 0 ? counts.values.reduce(0, +) / total : 0
        moves = counts.map { [total] route, count in
            ConfigDifference.Move(from: route.from?.name, to: route.to?.name, share: count / total)
        }.sorted { ($1.share, $0.from ?? "", $0.to ?? "") < ($0.share, $1.from ?? "", $1.to ?? "") }
    }
}

extension ProjectConfig.Experience {
    /// What look-ups make of the value that is stored of visitors whom the arm at `place` takes; `nil` if that is no
    /// decision.
    func storedText(ofArm place: Int) -> PropertyKey? {
        variations[place].id.map { BucketLayoutKind(version: version).storedValue(of: $0) }
            .flatMap { $0.isTruthy ? ECMAScript.toPropertyKey($0) : nil }
    }
}
