/// AtomEscape, CharacterEscape and CharacterClassEscape (ECMA-262, 22.2.1 and Annex B.1.2).
extension PatternParser {
    mutating func parseAtomEscape() throws(RegExpSyntaxError) {
        let offset = position
        let groupsBefore = tree.groupCount
        let node: PatternTree.NodeIndex
        switch peek(1) {
        case "b", "B": return parseWordBoundary()
        case "k" where hasGroupNames:
            position += 2
            node = try parseNamedReference(at: offset)
        case let digit? where ("1"..."9").contains(digit):
            if let reference = backReference() {
                node = reference
            } else {
                node = addUnit(try parseCharacterEscape(inClass: false))
            }
        default:
            if let set = parseClassEscape() {
                node = addSet(set)
            } else {
                node = addUnit(try parseCharacterEscape(inClass: false))
            }
        }
        try parseQuantifier(of: node, groupsBefore: groupsBefore)
    }

    /// DecimalEscape: a reference to the group with the number of all digits; `nil` if the pattern has fewer groups.
    /// Annex B then reads the digits in another way.
    mutating func backReference() -> PatternTree.NodeIndex? {
        var distance = 1
        var number = 0
        while let digit = peek(distance), ("0"..."9").contains(digit) {
            number = number * 10 + Int(digit.value - 0x30)
            if number > totalGroups { return nil }
            distance += 1
        }
        position += distance
        tree.references.append(UInt32(number))
        let end = UInt32(tree.references.count)
        return add(.backReference(start: end - 1, end: end, ignoreCase: flags.contains(.ignoreCase)))
    }

    /// `\b` and `\B`.
    mutating func parseWordBoundary() {
        let isNegative = peek(1) == "B"
        position += 2
        let assertion: PatternTree.Assertion =
            isUnicode && flags.contains(.ignoreCase)
            ? isNegative ? .notFoldedWordBoundary : .foldedWordBoundary
            : isNegative ? .notWordBoundary : .wordBoundary
        terms.append(add(.assertion(assertion)))
    }

    /// `\d \D \s \S \w \W`. Unless `u` and `i` are both set, the word characters are ASCII, and complements are taken
    /// before case folding.
    mutating func parseClassEscape() -> CharacterSet? {
        parseClassEscapeLetter().map { $0.isInverted ? $0.set.inverted : $0.set }
    }

    /// The set of the lower-case letter of such an escape, and whether the escape means the complement; `nil` for any
    /// other escape.
    mutating func parseClassEscapeLetter() -> (set: CharacterSet, isInverted: Bool)? {
        let set: CharacterSet
        switch peek(1) {
        case "d", "D": set = .digits
        case "s", "S": set = .whiteSpace
        case "w", "W": set = .wordCharacters
        default: return nil
        }
        defer { position += 2 }
        return (set, peek(1)?.properties.isUppercase == true)
    }

    /// A backslash and the rest of its escape, as one unit.
    mutating func parseCharacterEscape(inClass: Bool) throws(RegExpSyntaxError) -> UInt16 {
        let offset = position
        position += 1
        guard position < units.count else { throw RegExpSyntaxError(.trailingBackslash, at: offset) }
        let unit = units[position]
        if let control = current.flatMap(controlEscape) { return consume(control) }
        switch current {
        case "c": return parseControlEscape(inClass: inClass)
        case "x":
            position += 1
            return hexadecimal(digits: 2) ?? unit
        case "u":
            position += 1
            return hexadecimal(digits: 4) ?? unit
        case "k" where hasGroupNames:
            throw RegExpSyntaxError(.invalidEscape, at: offset)
        case let digit? where ("0"..."7").contains(digit):
            return parseLegacyOctal()
        default: return consume(unit)
        }
    }

    private mutating func consume(_ value: UInt16) -> UInt16 {
        position += 1
        return value
    }

    /// `\cA`, in a class also `\c0` and `\c_`. If anything else follows `\c`, the backslash is a literal, and the `c`
    /// is read next.
    private mutating func parseControlEscape(inClass: Bool) -> UInt16 {
        if let letter = peek(1), letter.isASCII {
            let isLetter = ("a"..."z").contains(letter) || ("A"..."Z").contains(letter)
            if isLetter || inClass && (letter == "_" || ("0"..."9").contains(letter)) {
                position += 2
                return UInt16(letter.value % 32)
            }
        }
        return 0x5c
    }

    /// HexEscapeSequence and RegExpUnicodeEscapeSequence; `nil` if there are not enough digits. The letter is then a
    /// literal.
    mutating func hexadecimal(digits count: Int) -> UInt16? {
        var value: UInt16 = 0
        for distance in 0..<count {
            guard let digit = peek(distance).flatMap(hexadecimalValue) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        position += count
        return value
    }

    /// LegacyOctalEscapeSequence (Annex B.1.2): up to `\377`.
    private mutating func parseLegacyOctal() -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<3 {
            guard let digit = current, ("0"..."7").contains(digit), value < 32 else { break }
            value = value * 8 + UInt16(digit.value - 0x30)
            position += 1
        }
        return value
    }
}

/// ControlEscape: the meaning of `t`, `n`, `v`, `f` and `r` after a backslash.
func controlEscape(_ letter: Unicode.Scalar) -> UInt16? {
    switch letter {
    case "t": 0x09
    case "n": 0x0a
    case "v": 0x0b
    case "f": 0x0c
    case "r": 0x0d
    default: nil
    }
}

/// The value of a hexadecimal digit.
func hexadecimalValue(_ digit: Unicode.Scalar) -> UInt32? {
    switch digit {
    case "0"..."9": digit.value - 0x30
    case "a"..."f": digit.value - 0x61 + 10
    case "A"..."F": digit.value - 0x41 + 10
    default: nil
    }
}
