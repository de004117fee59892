/// Where a match can start, told from the input alone and without running the program.
struct Prefilter: Sendable {
    /// Matches start at 0 only.
    var isAnchored = false
    /// No match is shorter.
    var minimumLength = 0
    /// What every match begins with.
    var prefix = UnitLiteral()
    /// What every match contains.
    var required = UnitLiteral()
    /// What every match's first unit is one of; `nil` if a match can be empty.
    var firstUnits: FirstUnits?

    /// Units that a match can begin with. Of those beyond ASCII it is only told whether there are any.
    struct FirstUnits: Sendable {
        private var ascii: UnitSets.ASCIISet
        private var hasOthers: Bool

        init(_ set: CharacterSet) {
            ascii = UnitSets.ASCIISet(set)
            hasOthers = (set.bounds.last ?? 0) >= 128
        }

        @inline(__always)
        func contains(_ unit: UInt16) -> Bool { unit < 128 ? ascii.contains(unit) : hasOthers }

        mutating func formUnion(_ other: FirstUnits) {
            ascii.formUnion(other.ascii)
            hasOthers = hasOthers || other.hasOthers
        }
    }

    /// Whether anything in the input rules a match out. No unit takes less than a byte.
    func mayMatch(_ input: some RegExpInput) -> Bool {
        guard input.count >= minimumLength else { return false }
        return required.count == 0 || required.firstOccurrence(in: input, from: 0) != nil
    }

    /// The first position from `start` on where a match can start.
    func nextCandidate(in input: some RegExpInput, from start: Int) -> Int? {
        let last = isAnchored ? 0 : input.count - minimumLength
        guard start <= last else { return nil }
        if isAnchored { return start }
        if prefix.count > 0 { return prefix.firstOccurrence(in: input, from: start) }
        guard let firstUnits else { return start }
        var position = start
        while position <= last, position < input.count {
            let (unit, width) = input.unit(at: position)
            if firstUnits.contains(unit) { return position }
            position += width
        }
        return nil
    }
}
