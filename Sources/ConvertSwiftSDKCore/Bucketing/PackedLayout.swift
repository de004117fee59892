internal import ConvertECMAScript

/// The layout up to experience version 11: the arms that take visitors, side by side from 0, each as wide as its
/// allocation.
///
/// The reference keeps the arms in an object from id to weight. This has three effects. Ids that are array indexes
/// (`"7"`) come first, in ascending order. A repeated id has the place of its first arm and the weight of its last. An
/// arm whose id is `__proto__` takes no visitors.
func packedRanges(of variations: [ProjectConfig.Variation]) -> [BucketLayout.Range] {
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
    arms.sort { ($0.arrayIndex, $0.variation) < ($1.arrayIndex, $1.variation) }
    var ranges: [BucketLayout.Range] = []
    ranges.reserveCapacity(arms.count)
    var edge = 0.0
    for arm in arms {
        let start = edge
        edge += arm.weight * 100
        // After a NaN weight all edges are NaN, so no later arm takes a value.
        if edge.isNaN { break }
        ranges.append(.init(start: start, end: edge, variation: arm.variation))
    }
    return ranges
}

private struct PackedArm {
    var weight: Double
    let variation: Int
    /// The array index that the id spells; the largest number if the id is not an array index.
    let arrayIndex: UInt32
}
