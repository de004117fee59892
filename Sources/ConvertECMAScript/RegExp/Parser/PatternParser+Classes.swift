/// CharacterClass (ECMA-262, 22.2.1; ranges of class escapes by Annex B.1.2, CharacterRangeOrUnion).
extension PatternParser {
    /// A ClassAtom: one unit, or the set of an escape such as `\d`.
    private enum ClassAtom {
        case unit(UInt16)
        case set(CharacterSet)

        var ranges: [ClosedRange<UInt16>] {
            switch self {
            case .unit(let unit): [unit...unit]
            case .set(let set): set.ranges
            }
        }
    }

    /// The class at `position`. If case is ignored, the set is closed over case before it is inverted (22.2.2.7.1).
    mutating func parseClass() throws(RegExpSyntaxError) -> CharacterSet {
        let offset = position
        position += 1
        let isInverted = accept("^")
        var ranges: [ClosedRange<UInt16>] = []
        while !accept("]") {
            guard position < units.count else { throw RegExpSyntaxError(.unterminatedClass, at: offset) }
            let start = position
            let first = try parseClassAtom(classOffset: offset)
            guard current == "-", position + 1 < units.count, peek(1) != "]" else {
                ranges += first.ranges
                continue
            }
            position += 1
            let last = try parseClassAtom(classOffset: offset)
            if case (.unit(let low), .unit(let high)) = (first, last) {
                guard low <= high else { throw RegExpSyntaxError(.rangeOutOfOrder, at: start) }
                ranges.append(low...high)
            } else {
                ranges += first.ranges + [0x2d...0x2d] + last.ranges
            }
        }
        let set = folded(CharacterSet(ranges: ranges))
        return isInverted ? set.inverted : set
    }

    private mutating func parseClassAtom(classOffset: Int) throws(RegExpSyntaxError) -> ClassAtom {
        guard current == "\\" else {
            position += 1
            return .unit(units[position - 1])
        }
        if let set = parseClassEscape() { return .set(set) }
        if peek(1) == "b" {
            position += 2
            return .unit(0x08)
        }
        return .unit(try parseCharacterEscape(inClass: true))
    }
}
