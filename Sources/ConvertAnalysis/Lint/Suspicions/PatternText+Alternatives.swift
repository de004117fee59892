extension PatternText {
    /// The pattern without blanks at its ends, next to its outer anchors, and next to the bars between its
    /// alternatives, which may be in a group between the anchors; `nil` if it has no such blanks.
    var withoutOuterBlanks: String? {
        let alternatives = alternatives
        let text = String(characters)
        let (start, end) = (text.hasPrefix("^") ? "^" : "", text.hasSuffix("$") ? "$" : "")
        if let group = PatternText(text.dropFirst(start.count).dropLast(end.count)).whole,
            group.alternatives.count > 1, let inner = group.withoutOuterBlanks
        {
            return "\(start)(?:\(inner))\(end)"
        }
        let trimmed = alternatives.map { alternative in
            let outer = alternative.trimmed
            let start = outer.hasPrefix("^") ? "^" : ""
            let end = outer.hasSuffix("$") && !outer.hasSuffix("\\$") ? "$" : ""
            guard outer.utf8.count > start.utf8.count + end.utf8.count else { return outer }
            let inner = String(outer.dropFirst(start.count).dropLast(end.count))
            // A blank that is escaped, or that has a quantifier, is meant.
            let isMeant =
                inner.trimmed.isEmpty || inner.trimmed.hasSuffix("\\") || "+*?{".contains(inner.trimmed.first ?? " ")
            return isMeant ? outer : start + inner.trimmed + end
        }
        let isWhole = !trimmed.contains { $0.isEmpty || $0.hasSuffix("\\") }
        let isTrimmed = zip(trimmed, alternatives).contains { $0.utf8.count != $1.utf8.count }
        return isWhole && isTrimmed ? trimmed.joined(separator: "|") : nil
    }

    /// The maximum depth of nested groups around a whole pattern.
    private static let mostGroups = 8

    /// The pattern with its outer anchors applied to all alternatives; `nil` if other alternatives have anchors too, or
    /// if no alternative has one.
    var withCommonAnchors: String? { withCommonAnchors(within: Self.mostGroups) }

    private func withCommonAnchors(within groups: Int) -> String? {
        var inner = alternatives
        guard inner.count > 1 else { return groups > 0 ? whole?.withCommonAnchors(within: groups - 1) : nil }
        let last = inner.count - 1
        let starts = inner.map { $0.hasPrefix("^") }
        let ends = inner.map { $0.hasSuffix("$") && !$0.hasSuffix("\\$") }
        // An alternative that is anchored at both ends is complete.
        let isStarted = starts[0] && !ends[0] && !starts.dropFirst().contains(true)
        let isEnded = ends[last] && !starts[last] && !ends.dropLast().contains(true)
        guard isStarted || isEnded else { return nil }
        if isStarted { inner[0].removeFirst() }
        if isEnded { inner[last].removeLast() }
        return (isStarted ? "^" : "") + "(?:" + inner.joined(separator: "|") + ")" + (isEnded ? "$" : "")
    }
}
