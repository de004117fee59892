internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The shares of an experience's visitors that get another variation.
struct BucketMoves: Equatable {
    /// No moves.
    static let none = BucketMoves(moved: 0, moves: [])

    /// The share that moves: of all bucket values, or of the values whose visitors have a stored decision.
    let moved: Double
    /// The moves, the largest share first, at most ``limit``.
    let moves: [ConfigDifference.Move]

    /// The maximum number of listed moves: each variation may take visitors from every other one.
    static let limit = 1_000

    private init(moved: Double, moves: [ConfigDifference.Move]) {
        self.moved = moved
        self.moves = moves
    }

    /// The same moves in the opposite direction.
    var reversed: BucketMoves {
        BucketMoves(
            moved: moved, moves: moves.map { ConfigDifference.Move(from: $0.to, to: $0.from, share: $0.share) })
    }

    /// Adds up several moves, each weighted with its share of the visitors.
    static func sum(_ parts: [(share: Double, moves: BucketMoves)]) -> BucketMoves {
        var counts: [VariationRoute: Double] = [:]
        for (share, part) in parts {
            for move in part.moves {
                let route = VariationRoute(from: move.from.map { PropertyKey($0) }, to: move.to.map { PropertyKey($0) })
                counts[route, default: 0] += share * move.share
            }
        }
        return BucketMoves(moved: parts.reduce(0) { $0 + $1.share * $1.moves.moved }, moves: sorted(counts))
    }

    private static func sorted(_ shares: [VariationRoute: Double]) -> [ConfigDifference.Move] {
        let moves = shares.filter { $0.value > 0 }.map { route, share in
            ConfigDifference.Move(from: route.from?.name, to: route.to?.name, share: share)
        }
        let sorted = moves.sorted { ($1.share, $0.from ?? "", $0.to ?? "") < ($0.share, $1.from ?? "", $1.to ?? "") }
        return Array(sorted.prefix(limit))
    }

    /// - Parameters:
    ///   - old: the old experience; `nil` if it did not exist and gave no visitor a variation.
    ///   - new: the new experience.
    ///   - semantics: the rules for finding variations by their ids.
    ///   - isStored: whether to consider visitors with a stored decision. A stored decision holds as long as the new
    ///     experience has the variation, whatever its allocation.
    init(
        from old: ProjectConfig.Experience?, to new: ProjectConfig.Experience?, under semantics: RuleSemantics,
        isStored: Bool = false
    ) {
        let before = old.map { BucketRuns($0, under: semantics) }
        let after = new.map { BucketRuns($0, under: semantics) }
        let whole = BucketRuns.Run(values: 0..<BucketRuns.count, arm: nil, variation: nil)
        let (oldRuns, newRuns) = (before?.runs ?? [whole], after?.runs ?? [whole])
        // Visitors are hashed with the experience's id. If the id changes, old and new bucket values are independent.
        let isSameHash = old == nil || new == nil || old?.id.key == new?.id.key
        let names = VariationNames(old, new)
        // A visitor outside of all arms has no stored decision.
        func hasStored(_ run: BucketRuns.Run) -> Bool { run.arm.flatMap { old?.storedText(ofArm: $0) } != nil }
        guard isSameHash else {
            let counted = isStored ? oldRuns.filter(hasStored) : oldRuns
            self.init(dealing: Self.shares(counted, of: old), anew: Self.shares(newRuns, of: new))
            return
        }
        let places = new.map { VariationIndex($0, under: semantics) }
        var counts: [VariationRoute: Double] = [:]
        var total = 0.0
        var start = 0
        for first in oldRuns {
            let from = first.variation.flatMap { old?.variations[$0] }
            let stored = isStored ? first.arm.flatMap { old?.storedText(ofArm: $0) } : nil
            if isStored, stored == nil { continue }
            // The decision is stored under the experience's id.
            let kept = stored.flatMap { places?[$0] }
            while start < newRuns.count, newRuns[start].values.upperBound <= first.values.lowerBound { start += 1 }
            for second in newRuns[start...].prefix(while: { $0.values.lowerBound < first.values.upperBound }) {
                let common = Double(first.values.clamped(to: second.values).count)
                total += common
                let to = (kept ?? second.variation).flatMap { new?.variations[$0] }
                // A variation that only changed its key is the same for its visitors.
                if let answer = from?.answer, names.name(answer) == to?.answer { continue }
                let route = VariationRoute(from: from?.answer, to: to?.answer)
                if !route.isKept { counts[route, default: 0] += common }
            }
        }
        self.init(
            moved: total > 0 ? counts.values.reduce(0, +) / total : 0,
            moves: Self.sorted(counts.mapValues { [total] in $0 / total }))
    }

    /// The moves if a visitor's new variation does not depend on the old one.
    private init(dealing before: [PropertyKey?: Double], anew after: [PropertyKey?: Double]) {
        moved = before.isEmpty ? 0 : 1 - before.reduce(0) { $0 + $1.value * (after[$1.key] ?? 0) }
        let (first, second) = (Self.largestFirst(before), Self.largestFirst(after))
        // Both rows are descending, so only these products can be among the largest. At most half of the largest pair
        // an answer with itself.
        var shares: [VariationRoute: Double] = [:]
        for (place, from) in first.prefix(2 * Self.limit).enumerated() {
            for to in second.prefix(2 * Self.limit / (place + 1)) where from.key != to.key {
                shares[VariationRoute(from: from.key, to: to.key)] = from.value * to.value
            }
        }
        moves = Self.sorted(shares)
    }

    private static func largestFirst(_ shares: [PropertyKey?: Double]) -> [(key: PropertyKey?, value: Double)] {
        shares.sorted { ($1.value, $0.key?.name ?? "") < ($0.value, $1.key?.name ?? "") }
    }

    /// The answers, each with its share of the runs' bucket values.
    private static func shares(
        _ runs: [BucketRuns.Run], of experience: ProjectConfig.Experience?
    ) -> [PropertyKey?: Double] {
        let total = Double(runs.reduce(0) { $0 + $1.values.count })
        // Counts are exact, so the share of all values is exactly 1.
        let counts = runs.reduce(into: [PropertyKey?: Int]()) { counts, run in
            let answer = run.variation.flatMap { experience?.variations[$0].answer }
            counts[answer, default: 0] += run.values.count
        }
        return counts.mapValues { Double($0) / total }
    }
}

extension ProjectConfig.Experience {
    /// The id that a look-up reads from the stored decision of a visitor in the arm at `place`; `nil` if the stored
    /// value is not a decision.
    func storedText(ofArm place: Int) -> PropertyKey? {
        variations[place].id.map { BucketLayoutKind(version: version).storedValue(of: $0) }
            .flatMap { $0.isTruthy ? ECMAScript.toPropertyKey($0) : nil }
    }
}
