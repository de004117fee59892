/// The layout above experience version 11: every arm is anchored where the weights before it end, stretched to the
/// whole range, and as wide as its own allocation. So neither stopping an arm nor raising allocations in proportion
/// moves a visitor who is in.
///
/// Arms stay in config order, and a repeated id stays apart. An arm that takes nobody keeps its weight and has no width.
func appendAnchoredRanges(of variations: [Variation], to ranges: inout [BucketLayout.Range]) {
    let arms = variations.enumerated().compactMap { index, variation -> (index: Int, weight: Double, isActive: Bool)? in
        guard let id = variation.id, id.isTruthy else { return nil }
        let allocation = Allocation(variation.trafficAllocation, isRunning: variation.isRunning)
        return (index, allocation.weight.isNaN ? 100 : allocation.weight, allocation.isActive)
    }
    let total = arms.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return }
    var cumulated = 0.0
    for arm in arms {
        let anchor = cumulated / total * 10_000
        if arm.isActive {
            ranges.append(.init(start: anchor, end: anchor + arm.weight * 100, variation: arm.index))
        }
        cumulated += arm.weight
    }
}
