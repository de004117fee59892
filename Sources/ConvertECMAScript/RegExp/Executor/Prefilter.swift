/// Finds positions at which a match can start, without running the program.
struct Prefilter: Sendable {
    /// Whether matches start only at 0.
    var isAnchored = false
    /// The length of the shortest match.
    var minimumLength = 0
    /// The text with which every match begins.
    var prefix = UnitLiteral()
    /// A text that every match contains.
    var required = UnitLiteral()
    /// The units with which a match can begin; `nil` if a match can be empty.
    var firstUnits: FirstUnits?

    /// Units with which a match can begin. Units that are not ASCII are either all included or all excluded.
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

    /// Whether the input can contain a match. Each unit takes at least one byte.
    func mayMatch(_ input: some RegExpInput) -> Bool {
        guard input.count >= minimumLength else { return false }
        return required.count == 0 || required.firstOccurrence(in: input, from: 0) != nil
    }

    /// The first position from `start` on at which a match can start; `nil` if there is no such position.
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
