/// GroupSpecifier, GroupName and `\k` (ECMA-262, 22.2.1).
extension PatternParser {
    /// `<name>` at `position`: returns the name, with its escapes resolved.
    mutating func parseGroupName() throws(RegExpSyntaxError) -> String {
        let offset = position
        guard accept("<") else { throw RegExpSyntaxError(.invalidGroupName, at: offset) }
        var name = ""
        while !accept(">") {
            guard let scalar = parseNameScalar(),
                name.isEmpty ? isIdentifierStart(scalar) : isIdentifierPart(scalar)
            else { throw RegExpSyntaxError(.invalidGroupName, at: offset) }
            name.unicodeScalars.append(scalar)
        }
        guard !name.isEmpty else { throw RegExpSyntaxError(.invalidGroupName, at: offset) }
        return name
    }

    /// One code point of a RegExpIdentifierName, literal or as a `\u` escape. A surrogate pair is one code point even
    /// without `u`.
    private mutating func parseNameScalar() -> Unicode.Scalar? {
        guard position < units.count else { return nil }
        if accept("\\") { return accept("u") ? parseNameEscape() : nil }
        let unit = units[position]
        position += 1
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard position < units.count, let scalar = pair(unit, units[position]) else { return nil }
        position += 1
        return scalar
    }

    /// RegExpUnicodeEscapeSequence with the parameter UnicodeMode.
    private mutating func parseNameEscape() -> Unicode.Scalar? {
        if accept("{") {
            var value: UInt32 = 0
            var count = 0
            while let digit = current.flatMap(hexadecimalValue) {
                value = min(value << 4 | digit, 0x110000)
                count += 1
                position += 1
            }
            return accept("}") && count > 0 ? Unicode.Scalar(value) : nil
        }
        guard let unit = hexadecimal(digits: 4) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard accept("\\"), accept("u"), let trail = hexadecimal(digits: 4) else { return nil }
        return pair(unit, trail)
    }

    private func pair(_ lead: UInt16, _ trail: UInt16) -> Unicode.Scalar? {
        guard UTF16.isLeadSurrogate(lead), UTF16.isTrailSurrogate(trail) else { return nil }
        return Unicode.Scalar(0x10000 + UInt32(lead - 0xd800) << 10 + UInt32(trail - 0xdc00))
    }

    private func isIdentifierStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "$" || scalar == "_" || UnicodeProperties.identifierStart.contains(scalar.value)
    }

    private func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "$" || scalar == "\u{200c}" || scalar == "\u{200d}"
            || UnicodeProperties.identifierContinue.contains(scalar.value)
    }

    /// `<name>` after `\k`. Forward references are allowed, so groups are resolved at the pattern's end.
    mutating func parseNamedReference(at offset: Int) throws(RegExpSyntaxError) -> PatternTree.NodeIndex {
        guard current == "<" else { throw RegExpSyntaxError(.invalidNamedReference, at: offset) }
        let name = try parseGroupName()
        let node = add(.backReference(start: 0, end: 0, ignoreCase: flags.contains(.ignoreCase)))
        namedReferences.append((name, node, offset))
        return node
    }

    mutating func resolveNamedReferences() throws(RegExpSyntaxError) {
        // All references to a name share one range, because a name may have thousands of groups and references.
        var ranges: [PropertyKey: Range<UInt32>] = [:]
        for (name, node, offset) in namedReferences {
            guard let groups = names[name], case .backReference(_, _, let ignoreCase) = tree[node] else {
                throw RegExpSyntaxError(.unknownGroupName, at: offset)
            }
            let key = PropertyKey(name)
            let start = UInt32(tree.references.count)
            let range = ranges[key] ?? start..<(start + UInt32(groups.numbers.count))
            if ranges.updateValue(range, forKey: key) == nil {
                tree.references.append(contentsOf: groups.numbers.map(UInt32.init))
            }
            tree.nodes[Int(node)] = .backReference(
                start: range.lowerBound, end: range.upperBound, ignoreCase: ignoreCase)
        }
    }
}
