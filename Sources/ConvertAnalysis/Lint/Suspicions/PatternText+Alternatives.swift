extension PatternText {
    /// The pattern without blanks at its ends, inside the anchors there, and beside the bars between its alternatives;
    /// `nil` if there are none.
    var withoutOuterBlanks: String? {
        let alternatives = alternatives
        let trimmed = alternatives.map { alternative in
            let outer = alternative.trimmed
            let start = outer.hasPrefix("^") ? "^" : ""
            let end = outer.hasSuffix("$") && !outer.hasSuffix("\\$") ? "$" : ""
            guard outer.utf8.count > start.utf8.count + end.utf8.count else { return outer }
            let inner = String(outer.dropFirst(start.count).dropLast(end.count))
            // An escaped blank, or one that a quantifier is on, is meant.
            let isMeant =
                inner.trimmed.isEmpty || inner.trimmed.hasSuffix("\\") || "+*?{".contains(inner.trimmed.first ?? " ")
            return isMeant ? outer : start + inner.trimmed + end
        }
        let isWhole = !trimmed.contains { $0.isEmpty || $0.hasSuffix("\\") }
        let isTrimmed = zip(trimmed, alternatives).contains { $0.utf8.count != $1.utf8.count }
        return isWhole && isTrimmed ? trimmed.joined(separator: "|") : nil
    }

    /// How many groups within each other are looked into that a pattern is all of.
    private static let mostGroups = 8

    /// The pattern with the anchors at its ends around all alternatives, if only the outer ones have them.
    var withCommonAnchors: String? { withCommonAnchors(within: Self.mostGroups) }

    private func withCommonAnchors(within groups: Int) -> String? {
        var inner = alternatives
        guard inner.count > 1 else { return groups > 0 ? whole?.withCommonAnchors(within: groups - 1) : nil }
        let last = inner.count - 1
        let starts = inner.map { $0.hasPrefix("^") }
        let ends = inner.map { $0.hasSuffix("$") && !$0.hasSuffix("\\$") }
        // One that is anchored at both ends is complete by itself.
        let isStarted = starts[0] && !ends[0] && !starts.dropFirst().contains(true)
        let isEnded = ends[last] && !starts[last] && !ends.dropLast().contains(true)
        guard isStarted || isEnded else { return nil }
        if isStarted { inner[0].removeFirst() }
        if isEnded { inner[last].removeLast() }
        return (isStarted ? "^" : "") + "(?:" + inner.joined(separator: "|") + ")" + (isEnded ? "$" : "")
    }
}
