/// AtomEscape, CharacterEscape and CharacterClassEscape (ECMA-262, 22.2.1 and Annex B.1.2).
extension PatternParser {
    mutating func parseAtomEscape() throws(RegExpSyntaxError) {
        let offset = position
        let groupsBefore = tree.groupCount
        let node: PatternTree.NodeIndex
        switch peek(1) {
        case "b", "B":
            let assertion: PatternTree.Assertion = peek(1) == "b" ? .wordBoundary : .notWordBoundary
            position += 2
            return terms.append(add(.assertion(assertion)))
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

    /// DecimalEscape: the whole number, if there are that many groups. Otherwise Annex B reads the digits anew.
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

    /// `\d \D \s \S \w \W`. Without `u` and `i` together the word characters are ASCII, and the complements are taken
    /// before case is folded.
    mutating func parseClassEscape() -> CharacterSet? {
        let set: CharacterSet
        switch peek(1) {
        case "d": set = .digits
        case "D": set = CharacterSet.digits.inverted
        case "s": set = .whiteSpace
        case "S": set = CharacterSet.whiteSpace.inverted
        case "w": set = .wordCharacters
        case "W": set = CharacterSet.wordCharacters.inverted
        default: return nil
        }
        position += 2
        return set
    }

    /// A backslash and what belongs to it, as one unit.
    mutating func parseCharacterEscape(inClass: Bool) throws(RegExpSyntaxError) -> UInt16 {
        let offset = position
        position += 1
        guard position < units.count else { throw RegExpSyntaxError(.trailingBackslash, at: offset) }
        let unit = units[position]
        switch current {
        case "t": return consume(0x09)
        case "n": return consume(0x0a)
        case "v": return consume(0x0b)
        case "f": return consume(0x0c)
        case "r": return consume(0x0d)
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

    /// `\cA`, in a class also `\c0` and `\c_`. Anything else after `\c` leaves a backslash, and the `c` to be read next.
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

    /// HexEscapeSequence and RegExpUnicodeEscapeSequence; without enough digits the letter stands for itself.
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

/// The value of a hexadecimal digit.
func hexadecimalValue(_ digit: Unicode.Scalar) -> UInt32? {
    switch digit {
    case "0"..."9": digit.value - 0x30
    case "a"..."f": digit.value - 0x61 + 10
    case "A"..."F": digit.value - 0x41 + 10
    default: nil
    }
}
