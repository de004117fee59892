/// The layout above experience version 11. Each arm starts where the weights of the arms before it end, scaled to the
/// whole range, and is as wide as its own allocation. Stopping an arm, or raising all allocations in proportion,
/// therefore moves no visitor who already has a variation.
///
/// Arms stay in config order, and arms with the same id stay separate. An arm that takes no visitors keeps its weight
/// and has no width.
func anchoredRanges(of variations: [ProjectConfig.Variation]) -> [BucketLayout.Range] {
    let arms = variations.enumerated().compactMap { index, variation -> (index: Int, weight: Double, isActive: Bool)? in
        guard let id = variation.id, id.isTruthy else { return nil }
        let allocation = Allocation(variation.trafficAllocation, isRunning: variation.isRunning)
        return (index, allocation.weight.isNaN ? 100 : allocation.weight, allocation.isActive)
    }
    let total = arms.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return [] }
    var cumulated = 0.0
    return arms.compactMap { arm in
        let anchor = cumulated / total * 10_000
        cumulated += arm.weight
        return arm.isActive ? .init(start: anchor, end: anchor + arm.weight * 100, variation: arm.index) : nil
    }
}
