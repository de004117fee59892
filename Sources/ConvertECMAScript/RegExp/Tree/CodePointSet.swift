/// A set of code points, which are the characters of a pattern with the flag `u` or `v`.
typealias CodePointSet = IntervalSet<UInt32>

extension CodePointSet {
    init(_ units: CharacterSet) { self.init(bounds: units.bounds.map(UInt32.init)) }
}

/// UTF-16.
extension CodePointSet {
    /// The units of the code points up to U+FFFF. Surrogates are left out.
    var singleUnits: CharacterSet {
        CharacterSet(
            ranges: ranges.flatMap { range in
                [(0, 0xd7ff), (0xe000, 0xffff)].compactMap { (first: UInt32, last: UInt32) in
                    let (low, high) = (max(first, range.lowerBound), min(last, range.upperBound))
                    return low <= high ? UInt16(low)...UInt16(high) : nil
                }
            })
    }

    /// The units of the code points beyond U+FFFF: sets of leads, each with the trails that may follow.
    var surrogatePairs: [(leads: CharacterSet, trails: CharacterSet)] {
        var trailsOfLead: [UInt16: [ClosedRange<UInt16>]] = [:]
        var fullLeads: [ClosedRange<UInt16>] = []
        for range in ranges where range.upperBound > 0xffff {
            let (low, high) = (max(range.lowerBound, 0x10000) - 0x10000, range.upperBound - 0x10000)
            let (first, last) = (UInt16(low >> 10) + 0xd800, UInt16(high >> 10) + 0xd800)
            let (start, end) = (UInt16(low & 0x3ff) + 0xdc00, UInt16(high & 0x3ff) + 0xdc00)
            if first == last {
                trailsOfLead[first, default: []].append(start...end)
            } else {
                trailsOfLead[first, default: []].append(start...0xdfff)
                trailsOfLead[last, default: []].append(0xdc00...end)
                if last - first > 1 { fullLeads.append(first + 1...last - 1) }
            }
        }
        var leadsOfTrails: [CharacterSet: [ClosedRange<UInt16>]] = [:]
        if !fullLeads.isEmpty { leadsOfTrails[CharacterSet(ranges: [0xdc00...0xdfff])] = fullLeads }
        for (lead, ranges) in trailsOfLead {
            leadsOfTrails[CharacterSet(ranges: ranges), default: []].append(lead...lead)
        }
        let pairs = leadsOfTrails.map { (leads: CharacterSet(ranges: $0.value), trails: $0.key) }
        // Each lead is in one set only. The sets are sorted, so that a pattern always becomes the same program.
        return pairs.sorted { $0.leads.bounds.first ?? 0 < $1.leads.bounds.first ?? 0 }
    }
}
