/// Quantifier (ECMA-262, 22.2.1; CompileQuantifier, 22.2.2.5).
extension PatternParser {
    /// `{n}`, `{n,}` or `{n,m}`, as the pattern writes it.
    struct BracedQuantifier {
        var minimum: Int
        var maximum: Int
        var isOutOfOrder: Bool
        var length: Int
    }

    /// Appends `atom`, or its repetition if a quantifier follows.
    mutating func parseQuantifier(of atom: PatternTree.NodeIndex, groupsBefore: Int) throws(RegExpSyntaxError) {
        var bounds = (minimum: 0, maximum: Int.max)
        switch current {
        case "*": position += 1
        case "+":
            position += 1
            bounds.minimum = 1
        case "?":
            position += 1
            bounds.maximum = 1
        case "{":
            guard let braces = bracedQuantifier() else { return terms.append(atom) }
            if braces.isOutOfOrder { throw RegExpSyntaxError(.quantifierOutOfOrder, at: position) }
            position += braces.length
            bounds = (braces.minimum, braces.maximum)
        default: return terms.append(atom)
        }
        tree.repetitions.append(
            .init(
                body: atom, minimum: bounds.minimum, maximum: bounds.maximum, isGreedy: !accept("?"),
                groups: groupsBefore + 1..<tree.groupCount + 1))
        terms.append(add(.repetition(UInt32(tree.repetitions.count - 1))))
    }

    /// The quantifier in braces at `position`, if there is one.
    func bracedQuantifier() -> BracedQuantifier? {
        var distance = 1
        guard let first = digits(&distance) else { return nil }
        if peek(distance) == "}" {
            let count = value(of: first)
            return BracedQuantifier(minimum: count, maximum: count, isOutOfOrder: false, length: distance + 1)
        }
        guard peek(distance) == "," else { return nil }
        distance += 1
        let second = digits(&distance)
        guard peek(distance) == "}" else { return nil }
        return BracedQuantifier(
            minimum: value(of: first), maximum: second.map(value(of:)) ?? Int.max,
            isOutOfOrder: second.map { isLess($0, than: first) } ?? false, length: distance + 1)
    }

    /// The decimal digits at `distance`, without leading zeros; `nil` if there are no digits.
    private func digits(_ distance: inout Int) -> ArraySlice<UInt16>? {
        let start = position + distance
        while let scalar = peek(distance), ("0"..."9").contains(scalar) { distance += 1 }
        guard position + distance > start else { return nil }
        return units[start..<position + distance].drop { $0 == 0x30 }
    }

    /// The number, or `Int.max` for any number that no input can reach.
    private func value(of digits: ArraySlice<UInt16>) -> Int {
        digits.count > 15 ? Int.max : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Compares numbers of any length.
    private func isLess(_ left: ArraySlice<UInt16>, than right: ArraySlice<UInt16>) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}
