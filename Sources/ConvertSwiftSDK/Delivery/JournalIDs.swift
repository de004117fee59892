import ConvertECMAScript

/// Ids of the journal, as few ranges: those of events that were delivered together lie beside each other.
struct JournalIDs: Sendable {
    private(set) var ranges: [ClosedRange<Int64>] = []

    /// How many ids there are.
    private(set) var count = 0

    var isEmpty: Bool { ranges.isEmpty }

    /// Adds `id`, unless it is there, or none that a journal may give.
    mutating func insert(_ id: Int64) {
        guard id > 0 else { return }
        // The first range that ends at the id's neighbour or later.
        let place = ranges.indices.partitioningIndex { ranges[$0].upperBound >= id - 1 }
        guard place < ranges.count else {
            ranges.append(id...id)
            count += 1
            return
        }
        let range = ranges[place]
        if range.contains(id) { return }
        count += 1
        if range.upperBound == id - 1 {
            let isBridge = place + 1 < ranges.count && ranges[place + 1].lowerBound == id &+ 1
            ranges[place] = range.lowerBound...(isBridge ? ranges[place + 1].upperBound : id)
            if isBridge { ranges.remove(at: place + 1) }
        } else if range.lowerBound == id &+ 1 {
            ranges[place] = id...range.upperBound
        } else {
            ranges.insert(id...id, at: place)
        }
    }

    /// Takes out up to `limit` ids, the lowest first.
    mutating func popFirst(_ limit: Int) -> [Int64] {
        var ids: [Int64] = []
        var used = 0
        while used < ranges.count, ids.count < limit {
            let range = ranges[used]
            let steps = min(range.upperBound - range.lowerBound, Int64(limit - ids.count - 1))
            let last = range.lowerBound + steps
            ids += range.lowerBound...last
            if last == range.upperBound { used += 1 } else { ranges[used] = (last + 1)...range.upperBound }
        }
        ranges.removeFirst(used)
        count -= ids.count
        return ids
    }
}
