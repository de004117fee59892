internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Which shares of an experience's visitors get another variation.
struct BucketMoves {
    /// The share that does: of all bucket values, or of those whose visitors have a stored decision.
    let moved: Double
    /// From which variation to which, the largest share first, at most ``limit``.
    let moves: [ConfigDifference.Move]

    /// How many moves are listed: each variation may take visitors of each other one.
    static let limit = 1_000

    private struct Route: Hashable {
        let from: PropertyKey?
        let to: PropertyKey?
    }

    private init(moved: Double, moves: [ConfigDifference.Move]) {
        self.moved = moved
        self.moves = moves
    }

    /// The moves of visitors who come back by the way that these go.
    var reversed: BucketMoves {
        BucketMoves(
            moved: moved, moves: moves.map { ConfigDifference.Move(from: $0.to, to: $0.from, share: $0.share) })
    }

    /// Several moves as one, each of a share of the visitors.
    static func sum(_ parts: [(share: Double, moves: BucketMoves)]) -> BucketMoves {
        var counts: [Route: Double] = [:]
        for (share, part) in parts {
            for move in part.moves {
                let route = Route(from: move.from.map { PropertyKey($0) }, to: move.to.map { PropertyKey($0) })
                counts[route, default: 0] += share * move.share
            }
        }
        return BucketMoves(moved: parts.reduce(0) { $0 + $1.share * $1.moves.moved }, moves: sorted(counts))
    }

    private static func sorted(_ shares: [Route: Double]) -> [ConfigDifference.Move] {
        let moves = shares.filter { $0.value > 0 }.map { route, share in
            ConfigDifference.Move(from: route.from?.name, to: route.to?.name, share: share)
        }
        let sorted = moves.sorted { ($1.share, $0.from ?? "", $0.to ?? "") < ($0.share, $1.from ?? "", $1.to ?? "") }
        return Array(sorted.prefix(limit))
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
        let whole = BucketRuns.Run(values: 0..<BucketRuns.count, arm: nil, variation: nil)
        let (oldRuns, newRuns) = (before?.runs ?? [whole], after?.runs ?? [whole])
        // What a visitor is hashed with is the id: with another one the new value has nothing to do with the old.
        let isSameHash = old == nil || new == nil || old?.id.key == new?.id.key
        let names = VariationNames(old, new)
        // A visitor outside of every arm has no stored decision.
        func hasStored(_ run: BucketRuns.Run) -> Bool { run.arm.flatMap { old?.storedText(ofArm: $0) } != nil }
        guard isSameHash else {
            let counted = isStored ? oldRuns.filter(hasStored) : oldRuns
            self.init(dealing: Self.shares(counted, of: old), anew: Self.shares(newRuns, of: new))
            return
        }
        var counts: [Route: Double] = [:]
        var total = 0.0
        var start = 0
        for first in oldRuns {
            let from = first.variation.flatMap { old?.variations[$0] }
            let stored = isStored ? first.arm.flatMap { old?.storedText(ofArm: $0) } : nil
            if isStored, stored == nil { continue }
            // It is stored under the experience's id.
            let kept = stored.flatMap { new?.variation(id: $0, under: semantics) }
            while start < newRuns.count, newRuns[start].values.upperBound <= first.values.lowerBound { start += 1 }
            for second in newRuns[start...].prefix(while: { $0.values.lowerBound < first.values.upperBound }) {
                let common = Double(first.values.clamped(to: second.values).count)
                total += common
                let to = (kept ?? second.variation).flatMap { new?.variations[$0] }
                // A variation that has another key now is the same to its visitors.
                if let answer = from?.answer, names.name(answer) == to?.answer { continue }
                let route = Route(from: from?.answer, to: to?.answer)
                if route.from != route.to { counts[route, default: 0] += common }
            }
        }
        self.init(
            moved: total > 0 ? counts.values.reduce(0, +) / total : 0,
            moves: Self.sorted(counts.mapValues { [total] in $0 / total }))
    }

    /// The moves of visitors whose new variation has nothing to do with the old one.
    private init(dealing before: [PropertyKey?: Double], anew after: [PropertyKey?: Double]) {
        moved = before.isEmpty ? 0 : 1 - before.reduce(0) { $0 + $1.value * (after[$1.key] ?? 0) }
        let (first, second) = (Self.largestFirst(before), Self.largestFirst(after))
        // Of the products of two descending rows only these can be among the largest. At most half of the largest are
        // no moves.
        var shares: [Route: Double] = [:]
        for (place, from) in first.prefix(2 * Self.limit).enumerated() {
            for to in second.prefix(2 * Self.limit / (place + 1)) where from.key != to.key {
                shares[Route(from: from.key, to: to.key)] = from.value * to.value
            }
        }
        moves = Self.sorted(shares)
    }

    private static func largestFirst(_ shares: [PropertyKey?: Double]) -> [(key: PropertyKey?, value: Double)] {
        shares.sorted { ($1.value, $0.key?.name ?? "") < ($0.value, $1.key?.name ?? "") }
    }

    /// The answers with the shares of the runs' bucket values that get them.
    private static func shares(
        _ runs: [BucketRuns.Run], of experience: ProjectConfig.Experience?
    ) -> [PropertyKey?: Double] {
        let total = Double(runs.reduce(0) { $0 + $1.values.count })
        // Counts are exact, so that all of the values are a share of exactly 1.
        let counts = runs.reduce(into: [PropertyKey?: Int]()) { counts, run in
            let answer = run.variation.flatMap { experience?.variations[$0].answer }
            counts[answer, default: 0] += run.values.count
        }
        return counts.mapValues { Double($0) / total }
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
