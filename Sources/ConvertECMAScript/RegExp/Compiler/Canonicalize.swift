/// Canonicalize (ECMA-262, 22.2.2.7.3) for patterns without the flags `u` and `v`: maps one unit to one unit in upper
/// case, and never maps a unit that is not ASCII to ASCII.
enum Canonicalize {
    private static var units: ConstantTable<UInt16> { UnicodeTables.caseFoldingUnits }

    /// The form in which `unit` is compared when case is ignored.
    static func unit(_ unit: UInt16) -> UInt16 {
        if unit < 128 { return unit &- 0x61 < 26 ? unit - 32 : unit }
        let index = firstIndex(atLeast: unit)
        return index < units.count && units[index] == unit ? UnicodeTables.caseFoldingCanonicals[index] : unit
    }

    /// All units whose canonical form is also the canonical form of a unit in `set`: the units that CharacterSetMatcher
    /// (22.2.2.7.1) accepts.
    static func closure(of set: CharacterSet) -> CharacterSet {
        let (classes, members) = (UnicodeTables.caseFoldingClasses, UnicodeTables.caseFoldingMembers)
        var ranges = set.ranges
        for range in set.ranges {
            var index = firstIndex(atLeast: range.lowerBound)
            while index < units.count, units[index] <= range.upperBound {
                let start = Int(classes[index])
                for unit in members[start + 1...start + Int(members[start])] {
                    if !range.contains(unit) { ranges.append(unit...unit) }
                }
                index += 1
            }
        }
        return ranges.count == set.bounds.count / 2 ? set : CharacterSet(ranges: ranges)
    }

    /// The number of units of `set` that have other cases.
    static func count(in set: CharacterSet) -> Int {
        set.ranges.reduce(0) { count, range in
            let end = range.upperBound == .max ? units.count : firstIndex(atLeast: range.upperBound + 1)
            return count + end - firstIndex(atLeast: range.lowerBound)
        }
    }

    private static func firstIndex(atLeast unit: UInt16) -> Int {
        units.indices.partitioningIndex { units[$0] >= unit }
    }
}
