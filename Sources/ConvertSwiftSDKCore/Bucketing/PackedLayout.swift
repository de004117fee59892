internal import ConvertECMAScript

/// The layout up to experience version 11: the arms that take visitors, side by side from 0 on, each as wide as its
/// allocation.
///
/// The reference keeps the arms in an object from id to weight. So an id that is an array index (`"7"`) comes before
/// every other one, in ascending order, and of a repeated id the first place and the last weight count.
func packedRanges(of variations: [Variation]) -> [BucketLayout.Range] {
    var ids: [String] = []
    var places: [PropertyKey: Int] = [:]
    var arms: [(weight: Double, variation: Int)] = []
    for (index, variation) in variations.enumerated() {
        let allocation = Allocation(of: variation)
        guard allocation.isActive, let id = variation.id, id.isTruthy else { continue }
        if let place = places[id.key] {
            arms[place].weight = allocation.weight
        } else {
            places[id.key] = ids.count
            ids.append(id.text)
            arms.append((allocation.weight, index))
        }
    }
    var ranges: [BucketLayout.Range] = []
    var edge = 0.0
    for place in ECMAScript.ownPropertyKeyOrder(ids) {
        let start = edge
        edge += arms[place].weight * 100
        // A weight that is no number poisons every edge from here on, and no value is below those.
        if edge.isNaN { break }
        ranges.append(.init(start: start, end: edge, variation: arms[place].variation))
    }
    return ranges
}
