/// Atoms of patterns with the flag `u` or `v` (ECMA-262, 22.2.1 without Annex B): they consume code points.
///
/// The tree has only code units. A code point beyond U+FFFF becomes its surrogate pair, and a set of such code points
/// becomes pairs of sets. A well-formed text has these pairs exactly at its code points beyond U+FFFF.
extension PatternParser {
    var isUnicode: Bool { flags.contains(.unicode) || flags.contains(.unicodeSets) }
    var hasSetNotation: Bool { flags.contains(.unicodeSets) }

    /// Consumes one code point.
    mutating func readPoint() -> UInt32 {
        let lead = units[position]
        position += 1
        guard UTF16.isLeadSurrogate(lead), position < units.count, UTF16.isTrailSurrogate(units[position]) else {
            return UInt32(lead)
        }
        position += 1
        return pairValue(lead, units[position - 1])
    }

    func pairValue(_ lead: UInt16, _ trail: UInt16) -> UInt32 {
        0x10000 + UInt32(lead - 0xd800) << 10 + UInt32(trail - 0xdc00)
    }

    mutating func parseUnicodeAtomEscape() throws(RegExpSyntaxError) {
        let offset = position
        let groupsBefore = tree.groupCount
        let node: PatternTree.NodeIndex
        switch peek(1) {
        case "b", "B": return parseWordBoundary()
        case "k":
            position += 2
            node = try parseNamedReference(at: offset)
        case let digit? where ("1"..."9").contains(digit):
            guard let reference = backReference() else { throw RegExpSyntaxError(.invalidEscape, at: offset) }
            node = reference
        default:
            if let contents = try parseUnicodeClassEscape() {
                node = addContents(contents)
            } else {
                node = addPoint(try parseUnicodeCharacterEscape(inClass: false))
            }
        }
        try parseQuantifier(of: node, groupsBefore: groupsBefore)
    }

    /// CharacterClassEscape (22.2.2.9): `\d \D \s \S \w \W`, and `\p` and `\P` with a property.
    mutating func parseUnicodeClassEscape() throws(RegExpSyntaxError) -> ClassContents? {
        if let (units, isInverted) = parseClassEscapeLetter() {
            var set = CodePointSet(units)
            if units == .wordCharacters, flags.contains(.ignoreCase) { set = SimpleFolding.closure(of: set) }
            set = canonical(set)
            return ClassContents(isInverted ? complement(of: set) : set)
        }
        switch peek(1) {
        case "p": return try parseProperty(isNegative: false)
        case "P": return try parseProperty(isNegative: true)
        default: return nil
        }
    }

    /// MaybeSimpleCaseFolding (22.2.2.9.5): with `v`, classes are computed in canonical code points if case is ignored.
    func canonical(_ set: CodePointSet) -> CodePointSet {
        hasSetNotation && flags.contains(.ignoreCase) ? SimpleFolding.canonical(set) : set
    }

    /// CharacterComplement (22.2.2.9.6).
    func complement(of set: CodePointSet) -> CodePointSet {
        let all = hasSetNotation && flags.contains(.ignoreCase) ? SimpleFolding.allCanonical : .all
        return all.subtracting(set)
    }

    private mutating func parseProperty(isNegative: Bool) throws(RegExpSyntaxError) -> ClassContents {
        let offset = position
        position += 2
        guard accept("{") else { throw RegExpSyntaxError(.invalidProperty, at: offset) }
        let name = propertyWord()
        let value = accept("=") ? propertyWord() : nil
        guard accept("}") else { throw RegExpSyntaxError(.invalidProperty, at: offset) }
        if let set = UnicodeProperties.set(name, value: value) {
            chargeClassWork(set.bounds.count)
            let set = canonical(set)
            return ClassContents(isNegative ? complement(of: set) : set)
        }
        guard hasSetNotation, !isNegative, value == nil, let texts = UnicodeProperties.strings(name) else {
            throw RegExpSyntaxError(.invalidProperty, at: offset)
        }
        var contents = ClassContents(texts: texts.map(canonical))
        contents.mayContainStrings = true
        return contents
    }

    /// Letters, digits and `_` at `position`.
    private mutating func propertyWord() -> String {
        var result = ""
        while let scalar = current, scalar.isASCII, scalar == "_" || scalar.properties.isAlphabetic || isDigit(scalar) {
            result.unicodeScalars.append(scalar)
            position += 1
        }
        return result
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// The text with each code point replaced by its canonical form, with `v` if case is ignored; otherwise the text.
    func canonical(_ text: [UInt32]) -> [UInt32] {
        hasSetNotation && flags.contains(.ignoreCase) ? text.map { SimpleFolding.canonical($0) } : text
    }

    /// CharacterEscape: a backslash and the rest of its escape, as one code point.
    mutating func parseUnicodeCharacterEscape(inClass: Bool) throws(RegExpSyntaxError) -> UInt32 {
        let offset = position
        position += 1
        guard let scalar = current else {
            throw RegExpSyntaxError(position < units.count ? .invalidEscape : .trailingBackslash, at: offset)
        }
        position += 1
        if let control = controlEscape(scalar) { return UInt32(control) }
        switch scalar {
        case "c":
            guard let letter = current, ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) else { break }
            position += 1
            return letter.value % 32
        case "0":
            if let digit = current, isDigit(digit) { break }
            return 0
        case "x":
            if let value = hexadecimal(digits: 2) { return UInt32(value) }
        case "u":
            if let value = parseUnicodeEscape() { return value }
        case "-" where inClass: return scalar.value
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return scalar.value
        case "&", "!", "#", "%", ",", ":", ";", "<", "=", ">", "@", "`", "~":
            if inClass, hasSetNotation { return scalar.value }
        default: break
        }
        throw RegExpSyntaxError(.invalidEscape, at: offset)
    }

    /// RegExpUnicodeEscapeSequence after its `\u`.
    private mutating func parseUnicodeEscape() -> UInt32? {
        if accept("{") {
            var value: UInt32 = 0
            var count = 0
            while let digit = current.flatMap(hexadecimalValue) {
                value = min(value << 4 | digit, 0x110000)
                count += 1
                position += 1
            }
            return accept("}") && count > 0 && value <= 0x10ffff ? value : nil
        }
        guard let lead = hexadecimal(digits: 4) else { return nil }
        guard UTF16.isLeadSurrogate(lead), current == "\\", peek(1) == "u" else { return UInt32(lead) }
        let start = position
        position += 2
        if let trail = hexadecimal(digits: 4), UTF16.isTrailSurrogate(trail) { return pairValue(lead, trail) }
        position = start
        return UInt32(lead)
    }
}

/// Building.
extension PatternParser {
    /// Adds a node for one code point. If case is ignored, the node includes the code points that fold alike.
    mutating func addPoint(_ point: UInt32) -> PatternTree.NodeIndex { addPoints(folded(CodePointSet(point))) }

    /// Adds a node for `contents`, with the flags at the parser's position. Longer texts are preferred (CompileAtom,
    /// 22.2.2.7).
    mutating func addContents(_ contents: ClassContents) -> PatternTree.NodeIndex {
        let points = addPoints(folded(contents.points))
        guard !contents.strings.isEmpty else { return points }
        var alternatives: [PatternTree.NodeIndex] = []
        let texts = contents.strings.sorted { left, right in
            left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count > right.count
        }
        for text in texts where !text.isEmpty {
            chargeClassWork(RegExpLimits.classWorkPerTextPoint * text.count)
            alternatives.append(addSequence(text.map { addPoint($0) }))
        }
        alternatives.append(points)
        if contents.strings.contains([]) { alternatives.append(add(.empty)) }
        return addAlternation(alternatives)
    }

    /// Adds a node for one code point of `points`, without folding.
    mutating func addPoints(_ points: CodePointSet) -> PatternTree.NodeIndex {
        if let node = pointNodes[points] { return node }
        let units = points.singleUnits
        let pairs = points.surrogatePairs
        var alternatives: [PatternTree.NodeIndex] = []
        if !units.bounds.isEmpty || pairs.isEmpty { alternatives.append(addUnits(units)) }
        for (leads, trails) in pairs { alternatives.append(addSequence([addUnits(leads), addUnits(trails)])) }
        let node = addAlternation(alternatives)
        pointNodes[points] = node
        return node
    }

    private mutating func addUnits(_ set: CharacterSet) -> PatternTree.NodeIndex {
        if set.bounds.count == 2, set.bounds[0] == set.bounds[1] { return add(.unit(set.bounds[0])) }
        return addSet(set, folding: false)
    }

    private mutating func folded(_ set: CodePointSet) -> CodePointSet {
        guard flags.contains(.ignoreCase) else { return set }
        chargeClassWork(set.bounds.count + SimpleFolding.count(in: set))
        return SimpleFolding.closure(of: set)
    }

    private mutating func addSequence(_ nodes: [PatternTree.NodeIndex]) -> PatternTree.NodeIndex {
        collect(nodes[...], as: PatternTree.Node.sequence)
    }

    private mutating func addAlternation(_ nodes: [PatternTree.NodeIndex]) -> PatternTree.NodeIndex {
        collect(nodes[...], as: PatternTree.Node.alternation)
    }
}
