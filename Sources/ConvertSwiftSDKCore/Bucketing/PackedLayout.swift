internal import ConvertECMAScript

/// The layout up to experience version 11: the arms that take visitors, side by side from 0 on, each as wide as its
/// allocation.
///
/// The reference keeps the arms in an object from id to weight. So an id that is an array index (`"7"`) comes before
/// every other one, in ascending order, and of a repeated id the first place and the last weight count.
func packedRanges(of variations: [Variation]) -> [BucketLayout.Range] {
    var arms: [PackedArm] = []
    arms.reserveCapacity(variations.count)
    // A search among a few arms takes less time than a dictionary of them.
    var places: [PropertyKey: Int]? = variations.count > 8 ? [:] : nil
    for index in variations.indices {
        let allocation = Allocation(of: variations[index])
        guard allocation.isActive, let id = variations[index].id, id.isTruthy else { continue }
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
    // Arms that are equal here keep config order, which is that of their variations.
    func isBefore(_ left: PackedArm, _ right: PackedArm) -> Bool {
        (left.arrayIndex, left.variation) < (right.arrayIndex, right.variation)
    }
    if !arms.indices.dropFirst().allSatisfy({ isBefore(arms[$0 - 1], arms[$0]) }) { arms.sort(by: isBefore) }
    var ranges: [BucketLayout.Range] = []
    ranges.reserveCapacity(arms.count)
    var edge = 0.0
    for arm in arms {
        let start = edge
        edge += arm.weight * 100
        // A weight that is no number poisons every edge from here on, and no value is below those.
        if edge.isNaN { break }
        ranges.append(.init(start: start, end: edge, variation: arm.variation))
    }
    return ranges
}

private struct PackedArm {
    var weight: Double
    let variation: Int
    /// The array index that the id is; the largest number if it is none.
    let arrayIndex: UInt32
}
