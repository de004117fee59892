/// Groups, lookarounds and modifiers (ECMA-262, 22.2.1, Atom and Assertion).
extension PatternParser {
    mutating func open(_ kind: OpenGroup.Kind, at offset: Int, groupsBefore: Int? = nil) {
        openGroups.append(
            OpenGroup(
                kind: kind, offset: offset, outerFlags: flags, groupsBefore: groupsBefore ?? tree.groupCount,
                lookaroundsBefore: tree.lookarounds.count, alternativesStart: alternatives.count,
                termsStart: terms.count))
        names.openDisjunction()
    }

    mutating func parseGroupStart() throws(RegExpSyntaxError) {
        let offset = position
        guard openGroups.count <= RegExpLimits.nesting else { throw RegExpSyntaxError(.nestedTooDeep, at: offset) }
        position += 1
        guard accept("?") else { return try openCapturing(named: false, at: offset) }
        switch (current, peek(1)) {
        case (":", _):
            position += 1
            open(.plain, at: offset)
        case ("=", _), ("!", _):
            open(.lookaround(isBehind: false, isNegative: current == "!"), at: offset)
            position += 1
        case ("<", "="), ("<", "!"):
            open(.lookaround(isBehind: true, isNegative: peek(1) == "!"), at: offset)
            position += 2
        case ("<", _):
            try openCapturing(named: true, at: offset)
        default:
            let inner = try parseModifiers(groupOffset: offset)
            open(.plain, at: offset)
            flags = inner
        }
    }

    private mutating func openCapturing(named: Bool, at offset: Int) throws(RegExpSyntaxError) {
        let groupsBefore = tree.groupCount
        tree.groupCount += 1
        guard tree.groupCount <= RegExpLimits.captures else { throw RegExpSyntaxError(.tooManyCaptures, at: offset) }
        if named {
            let nameOffset = position
            let name = try parseGroupName()
            guard names.declare(name, group: tree.groupCount) else {
                throw RegExpSyntaxError(.duplicateGroupName, at: nameOffset)
            }
        }
        open(.capturing(number: tree.groupCount), at: offset, groupsBefore: groupsBefore)
    }

    /// RegularExpressionModifiers such as `i-ms:`, with at least one letter and no letter twice. Returns the flags by
    /// UpdateModifiers (22.2.2.7.4).
    private mutating func parseModifiers(groupOffset: Int) throws(RegExpSyntaxError) -> RegExpFlags {
        var added: RegExpFlags = []
        var removed: RegExpFlags = []
        var isRemoving = false
        while let letter = current, letter != ":" {
            if letter == "-", !isRemoving {
                isRemoving = true
            } else if let flag = RegExpFlags.modifier(letter), !added.union(removed).contains(flag) {
                if isRemoving { removed.insert(flag) } else { added.insert(flag) }
            } else {
                throw RegExpSyntaxError(.invalidGroup, at: groupOffset)
            }
            position += 1
        }
        guard accept(":"), !added.union(removed).isEmpty else {
            throw RegExpSyntaxError(.invalidGroup, at: groupOffset)
        }
        return flags.union(added).subtracting(removed)
    }

    mutating func parseGroupEnd() throws(RegExpSyntaxError) {
        guard openGroups.count > 1, let group = openGroups.popLast() else {
            throw RegExpSyntaxError(.unmatchedParenthesis, at: position)
        }
        position += 1
        let body = closeDisjunction(group)
        names.closeDisjunction()
        flags = group.outerFlags
        switch group.kind {
        case .capturing(let number):
            try parseQuantifier(of: add(.group(body, number: UInt32(number))), groupsBefore: group.groupsBefore)
        case .lookaround(let isBehind, let isNegative):
            tree.lookarounds.append(
                .init(body: body, isBehind: isBehind, isNegative: isNegative, firstInside: group.lookaroundsBefore))
            let node = add(.lookaround(UInt32(tree.lookarounds.count - 1)))
            // Annex B has QuantifiableAssertion only for lookaheads, so a quantifier after a lookbehind is an error.
            guard !isBehind, !isUnicode else { return terms.append(node) }
            try parseQuantifier(of: node, groupsBefore: group.groupsBefore)
        case .plain, .pattern:
            try parseQuantifier(of: body, groupsBefore: group.groupsBefore)
        }
    }
}
