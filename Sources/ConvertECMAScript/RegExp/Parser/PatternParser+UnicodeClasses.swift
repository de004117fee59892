/// CharacterClass with the flag `u` (ECMA-262, 22.2.1 without Annex B).
extension PatternParser {
    /// A ClassAtom: one code point, or the set of an escape such as `\d`.
    private enum ClassAtom {
        case point(UInt32)
        case set(ClassContents)

        var points: CodePointSet {
            switch self {
            case .point(let point): CodePointSet(point)
            case .set(let contents): contents.points
            }
        }
    }

    /// The class at `position`, with either flag.
    mutating func parseUnicodeClass() throws(RegExpSyntaxError) -> PatternTree.NodeIndex {
        if hasSetNotation { return addContents(try parseSetClass()) }
        let offset = position
        position += 1
        let isInverted = accept("^")
        var ranges: [ClosedRange<UInt32>] = []
        // A class may repeat large sets, so the ranges are merged from time to time.
        var rangesBeforeMerge = 4_096
        while !accept("]") {
            try checkClassWork()
            if ranges.count > rangesBeforeMerge {
                ranges = CodePointSet(ranges: ranges).ranges
                rangesBeforeMerge = 2 * ranges.count + 4_096
            }
            let start = position
            let first = try parsePointOrEscape(classOffset: offset)
            guard current == "-", position + 1 < units.count, peek(1) != "]" else {
                ranges += first.points.ranges
                continue
            }
            position += 1
            let last = try parsePointOrEscape(classOffset: offset)
            guard case (.point(let low), .point(let high)) = (first, last) else {
                throw RegExpSyntaxError(.invalidClass, at: start)
            }
            guard low <= high else { throw RegExpSyntaxError(.rangeOutOfOrder, at: start) }
            ranges.append(low...high)
        }
        let set = CodePointSet(ranges: ranges)
        guard isInverted else { return addContents(ClassContents(set)) }
        // The set is folded before it is inverted (CharacterSetMatcher, 22.2.2.7.1), not afterwards.
        return addPoints((flags.contains(.ignoreCase) ? SimpleFolding.closure(of: set) : set).inverted)
    }

    private mutating func parsePointOrEscape(classOffset: Int) throws(RegExpSyntaxError) -> ClassAtom {
        guard position < units.count else { throw RegExpSyntaxError(.unterminatedClass, at: classOffset) }
        guard current == "\\" else { return .point(readPoint()) }
        if let contents = try parseUnicodeClassEscape() { return .set(contents) }
        if peek(1) == "b" {
            position += 2
            return .point(0x08)
        }
        return .point(try parseUnicodeCharacterEscape(inClass: true))
    }
}
