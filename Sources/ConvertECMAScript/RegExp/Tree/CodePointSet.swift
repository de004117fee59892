/// A set of code points (ECMA-262, 22.2.2.1, CharSet with the flag `u` or `v`): the bounds of its ranges, ascending, apart
/// from each other.
struct CodePointSet: Hashable, Sendable {
    /// First and last code point of each range, one after the other.
    private(set) var bounds: [UInt32]

    static let empty = CodePointSet(bounds: [])
    static let all = CodePointSet(bounds: [0, 0x10ffff])

    /// - Parameter bounds: As the property says.
    init(bounds: [UInt32]) { self.bounds = bounds }

    init(_ point: UInt32) { self.init(bounds: [point, point]) }

    init(_ units: CharacterSet) { self.init(bounds: units.bounds.map(UInt32.init)) }

    init(ranges: [ClosedRange<UInt32>]) {
        bounds = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = bounds.last, range.lowerBound <= last || range.lowerBound == last + 1 {
                bounds[bounds.count - 1] = max(last, range.upperBound)
            } else {
                bounds.append(range.lowerBound)
                bounds.append(range.upperBound)
            }
        }
    }

    /// The ranges, ascending.
    var ranges: [ClosedRange<UInt32>] {
        stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]...bounds[$0 + 1] }
    }

    var isEmpty: Bool { bounds.isEmpty }

    /// The only code point, if there is only one.
    var single: UInt32? { bounds.count == 2 && bounds[0] == bounds[1] ? bounds[0] : nil }

    /// The code points that are not in the set.
    var inverted: CodePointSet {
        var result: [UInt32] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { result += [next, range.lowerBound - 1] }
            next = range.upperBound + 1
        }
        if next <= 0x10ffff { result += [next, 0x10ffff] }
        return CodePointSet(bounds: result)
    }

    func union(_ other: CodePointSet) -> CodePointSet { CodePointSet(ranges: ranges + other.ranges) }

    func intersection(_ other: CodePointSet) -> CodePointSet { inverted.union(other.inverted).inverted }

    func subtracting(_ other: CodePointSet) -> CodePointSet { inverted.union(other).inverted }

    func contains(_ point: UInt32) -> Bool {
        var low = 0
        var high = bounds.count / 2
        while low < high {
            let middle = (low + high) / 2
            if point > bounds[2 * middle + 1] { low = middle + 1 } else { high = middle }
        }
        return low < bounds.count / 2 && bounds[2 * low] <= point
    }
}

/// UTF-16.
extension CodePointSet {
    /// The code points that are one unit. Surrogates are left out: a text of Swift's has none by themselves.
    var singleUnits: CharacterSet {
        CharacterSet(
            ranges: ranges.flatMap { range in
                [(0, 0xd7ff), (0xe000, 0xffff)].compactMap { (first: UInt32, last: UInt32) in
                    let (low, high) = (max(first, range.lowerBound), min(last, range.upperBound))
                    return low <= high ? UInt16(low)...UInt16(high) : nil
                }
            })
    }

    /// The code points that are two units: sets of leads, with the trails that may follow each of them.
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
        // A lead is in one set only. In order, so that a pattern always becomes the same program.
        return pairs.sorted { $0.leads.bounds.first ?? 0 < $1.leads.bounds.first ?? 0 }
    }
}
