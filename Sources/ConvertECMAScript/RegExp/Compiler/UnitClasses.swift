/// Divides the code units into classes. No set of an automaton contains only a part of a class.
struct UnitClasses: Sendable {
    /// Number of classes.
    private(set) var count = 0
    /// Number of sets.
    let setCount: Int
    /// The class of each byte below 128; at index 128 the column for bytes that are not ASCII.
    private(set) var byteColumns: [UInt16] = []
    /// The classes of all units: `pages[unit >> 8]` is the index in `pageClasses` at which the unit's page starts.
    private var pages: [UInt16] = []
    private var pageClasses: [UInt16] = []
    /// For each class, the property of its units that a neighbouring assertion checks.
    private(set) var contexts: [Automaton.Context] = []
    /// One bit for each set and class: whether the set contains the class.
    private var membership: [UInt64] = []
    private var wordsPerSet = 0

    /// The approximate size of the tables in bytes.
    var footprint: Int {
        2 * (byteColumns.count + pages.count + pageClasses.count) + contexts.count + 8 * membership.count
    }

    /// Divides the units by `sets` and by the properties that assertions check. Returns `nil` if the result is too
    /// large.
    init?(_ sets: [CharacterSet], contexts wanted: Set<Automaton.Context>) {
        setCount = sets.count
        let dividing = sets + Self.contextSets.filter { wanted.contains($0.context) }.map(\.set)
        guard let (starts, classOf) = Self.divide(by: dividing) else { return nil }
        count = (classOf.max() ?? 0) + 1
        wordsPerSet = (count + 63) / 64
        guard count <= RegExpLimits.unitClasses else { return nil }
        guard saturatingProduct(sets.count, wordsPerSet * 64) <= RegExpLimits.membershipBits else { return nil }
        var representatives = [UInt16](repeating: 0, count: count)
        for (start, unitClass) in zip(starts, classOf) { representatives[unitClass] = start }
        layOut(starts, classOf)
        byteColumns = pageClasses[..<128] + [UInt16](repeating: UInt16(count + 1), count: 128)
        contexts = representatives.map { unit in
            Self.contextSets.first { wanted.contains($0.context) && $0.set.contains(unit) }?.context ?? .other
        }
        membership = [UInt64](repeating: 0, count: sets.count * wordsPerSet)
        for (index, set) in sets.enumerated() {
            Self.forEachInterval(of: set, in: starts) { interval in
                let unitClass = classOf[interval]
                membership[index * wordsPerSet + unitClass / 64] |= 1 << UInt64(unitClass % 64)
            }
        }
    }

    /// The units of each context. The sets are disjoint.
    private static let contextSets: [(context: Automaton.Context, set: CharacterSet)] = [
        (.word, .wordCharacters), (.lineTerminator, .lineTerminators), (.foldedWord, .foldedWordCharacters),
        (.lead, .leads),
    ]

    /// The class of `unit`.
    @inline(__always)
    subscript(unit: UInt16) -> UInt16 { pageClasses[Int(pages[Int(unit >> 8)]) << 8 | Int(unit & 255)] }

    /// Whether the units of `unitClass` are in set number `set`.
    func contains(_ unitClass: Int, in set: UInt32) -> Bool {
        membership[Int(set) * wordsPerSet + unitClass >> 6] >> UInt64(unitClass & 63) & 1 != 0
    }

    /// The first unit of each run of units of the same class.
    var runStarts: [UInt16] {
        var starts: [UInt16] = []
        var last: UInt16?
        var uniformPages: Set<UInt16> = []
        for (page, number) in pages.enumerated() {
            let first = Int(number) << 8
            let count = uniformPages.contains(number) ? 1 : 256
            var isUniform = true
            for offset in 0..<count where pageClasses[first | offset] != last {
                last = pageClasses[first | offset]
                starts.append(UInt16(page << 8 | offset))
                if offset > 0 { isUniform = false }
            }
            if isUniform { uniformPages.insert(number) }
        }
        return starts
    }

    /// The intervals between all bounds, by their first units, and the class of each interval; `nil` if the work
    /// exceeds the limit. Each set splits every class that it overlaps into a part inside and a part outside.
    private static func divide(by sets: [CharacterSet]) -> (starts: [UInt16], classOf: [Int])? {
        var starts: [UInt16] = [0]
        for set in sets {
            for (index, bound) in set.bounds.enumerated() {
                if index & 1 == 0 { starts.append(bound) } else if bound < 0xffff { starts.append(bound + 1) }
            }
        }
        starts.sort()
        var last: UInt16?
        starts.removeAll { start in
            defer { last = start }
            return start == last
        }
        var classOf = [Int](repeating: 0, count: starts.count)
        // For each class, the last set that overlapped it, and the class of the part inside the set.
        var split: [(set: Int, inside: Int)] = [(-1, 0)]
        var work = 0
        for (number, set) in sets.enumerated() {
            Self.forEachInterval(of: set, in: starts) { interval in
                work += 1
                let old = classOf[interval]
                if split[old].set != number {
                    split[old] = (number, split.count)
                    split.append((-1, 0))
                }
                classOf[interval] = split[old].inside
            }
            guard work <= RegExpLimits.membershipBits / 4 else { return nil }
        }
        var numbers: [Int: Int] = [:]
        for interval in classOf.indices {
            let number = numbers[classOf[interval]] ?? numbers.count
            numbers[classOf[interval]] = number
            classOf[interval] = number
        }
        return (starts, classOf)
    }

    /// Calls `body` with each interval of `set`.
    @inline(__always)
    private static func forEachInterval(of set: CharacterSet, in starts: [UInt16], _ body: (Int) -> Void) {
        var bound = 0
        while bound < set.bounds.count {
            var interval = interval(of: set.bounds[bound], in: starts)
            let last = Self.interval(of: set.bounds[bound + 1], in: starts)
            while interval <= last {
                body(interval)
                interval += 1
            }
            bound += 2
        }
    }

    private static func interval(of unit: UInt16, in starts: [UInt16]) -> Int {
        // The first interval starts at 0.
        starts.indices.dropFirst().partitioningIndex { starts[$0] > unit } - 1
    }

    /// Fills the two levels of the table. Most pages have a single class; such pages of the same class share memory.
    private mutating func layOut(_ starts: [UInt16], _ classOf: [Int]) {
        var uniformPages: [Int: UInt16] = [:]
        var interval = 0
        for page in 0..<256 {
            let end = (page + 1) << 8
            let isUniform = interval + 1 == starts.count || Int(starts[interval + 1]) >= end
            if isUniform, let known = uniformPages[classOf[interval]] {
                pages.append(known)
            } else {
                let number = UInt16(pageClasses.count >> 8)
                pages.append(number)
                if isUniform { uniformPages[classOf[interval]] = number }
                var unit = page << 8
                while unit < end {
                    let next = interval + 1 < starts.count ? min(Int(starts[interval + 1]), end) : end
                    // An array is appended at once. In a debug build, a sequence would take a call for each unit.
                    pageClasses += [UInt16](repeating: UInt16(classOf[interval]), count: next - unit)
                    unit = next
                    if unit < end { interval += 1 }
                }
            }
            if interval + 1 < starts.count, Int(starts[interval + 1]) == end { interval += 1 }
        }
    }
}
