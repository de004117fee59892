internal import ConvertECMAScript

/// The layout up to experience version 11: the arms that take visitors, side by side from 0 on, each as wide as its
/// allocation.
///
/// The reference keeps the arms in an object from id to weight. So an id that is an array index (`"7"`) comes before
/// every other one, in ascending order, of a repeated id the first place and the last weight count, and one named `__proto__`
/// takes no visitors.
func appendPackedRanges(of variations: [Variation], to ranges: inout [BucketLayout.Range]) {
    if appendPackedRanges(ofOrdered: variations, to: &ranges) { return }
    var arms: [PackedArm] = []
    arms.reserveCapacity(variations.count)
    // A search among a few arms takes less time than a dictionary of them.
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
    // Arms that are equal here keep config order, which is that of their variations.
    func isBefore(_ left: PackedArm, _ right: PackedArm) -> Bool {
        (left.arrayIndex, left.variation) < (right.arrayIndex, right.variation)
    }
    if !arms.indices.dropFirst().allSatisfy({ isBefore(arms[$0 - 1], arms[$0]) }) { arms.sort(by: isBefore) }
    var edge = 0.0
    for arm in arms {
        guard append(arm.weight, arm.variation, &edge, to: &ranges) else { break }
    }
}

/// Appends the ranges if the ids of all arms are array indexes that ascend, which is how they come nearly always. Says
/// whether they are.
private func appendPackedRanges(ofOrdered variations: [Variation], to ranges: inout [BucketLayout.Range]) -> Bool {
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

/// Appends an arm that begins at `edge`, and moves it. A weight that is no number poisons every edge from there on, and no
/// value is below those, so nothing is appended then, which is what the result says.
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
    /// The array index that the id is; the largest number if it is none.
    let arrayIndex: UInt32
}
