internal import ConvertECMAScript

/// The layout up to experience version 11: the arms that take visitors, side by side from 0, each as wide as its
/// allocation.
///
/// The reference keeps the arms in an object from id to weight. This has three effects. Ids that are array indexes
/// (`"7"`) come first, in ascending order. A repeated id has the place of its first arm and the weight of its last. An
/// arm whose id is `__proto__` takes no visitors.
func appendPackedRanges(of variations: [ProjectConfig.Variation], to ranges: inout [BucketLayout.Range]) {
    if appendPackedRanges(ofOrdered: variations, to: &ranges) { return }
    var arms: [PackedArm] = []
    arms.reserveCapacity(variations.count)
    // For a few arms a linear search is faster than a dictionary.
    var places: [PropertyKey: Int]? = variations.count > 8 ? [:] : nil
    for index in variations.indices {
        let allocation = Allocation(variations[index].trafficAllocation, isRunning: variations[index].isRunning)
        guard allocation.isActive, let id = variations[index].id, id.isTruthy, id.key != .prototypeAccessor else {
            continue
        }
        let place = places.map { $0[id.key] } ?? arms.firstIndex { variations[$0.variation].id?.key == id.key }
        if let place {
            arms[place].weight = allocation.weight
        } else {
            places?[id.key] = arms.count
            arms.append(
                PackedArm(
                    weight: allocation.weight, variation: index, arrayIndex: ECMAScript.arrayIndex(id.text) ?? .max))
        }
    }
    // Arms that compare as equal keep config order, which is the order of their variations.
    func isBefore(_ left: PackedArm, _ right: PackedArm) -> Bool {
        (left.arrayIndex, left.variation) < (right.arrayIndex, right.variation)
    }
    if !arms.indices.dropFirst().allSatisfy({ isBefore(arms[$0 - 1], arms[$0]) }) { arms.sort(by: isBefore) }
    var edge = 0.0
    for arm in arms {
        guard append(arm.weight, arm.variation, &edge, to: &ranges) else { break }
    }
}

/// Appends the ranges if the ids of all arms that take visitors are ascending array indexes and no weight is NaN, as in
/// nearly every config. Otherwise appends nothing and returns `false`.
private func appendPackedRanges(ofOrdered variations: [ProjectConfig.Variation], to ranges: inout [BucketLayout.Range])
    -> Bool
{
    let count = ranges.count
    var last: UInt32?
    var edge = 0.0
    for index in variations.indices {
        let allocation = Allocation(variations[index].trafficAllocation, isRunning: variations[index].isRunning)
        guard allocation.isActive, let id = variations[index].id, id.isTruthy else { continue }
        guard let arrayIndex = ECMAScript.arrayIndex(id.text), last.map({ $0 < arrayIndex }) ?? true,
            append(allocation.weight, index, &edge, to: &ranges)
        else {
            ranges.removeLast(ranges.count - count)
            return false
        }
        last = arrayIndex
    }
    return true
}

/// Appends an arm that begins at `edge`, and advances `edge`. For a NaN weight, appends nothing and returns `false`:
/// all later edges are NaN, so no later arm takes a value.
private func append(
    _ weight: Double, _ variation: Int, _ edge: inout Double, to ranges: inout [BucketLayout.Range]
) -> Bool {
    let start = edge
    edge += weight * 100
    if edge.isNaN { return false }
    ranges.append(.init(start: start, end: edge, variation: variation))
    return true
}

private struct PackedArm {
    var weight: Double
    let variation: Int
    /// The array index that the id spells; the largest number if the id is not an array index.
    let arrayIndex: UInt32
}
