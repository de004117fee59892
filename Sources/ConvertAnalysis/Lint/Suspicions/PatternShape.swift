/// What a pattern's outermost parts are, without a look at what they match.
struct PatternShape {
    /// The alternatives that are not in parentheses.
    private(set) var alternatives: [String] = [""]
    /// The pattern with each `?` escaped that stands where an address has its query.
    private(set) var withEscapedQuery: String?
    /// The first group with modifiers, such as `(?i:`.
    private(set) var modifiers: String?
    /// Whether it looks at what stands before.
    private(set) var hasLookbehind = false

    init(_ pattern: String) {
        let characters = Array(pattern)
        var depth = 0
        var isInClass = false
        var escaped = ""
        var hasQuery = false
        var isAddress = false
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if character == "/" || character == "." { isAddress = true }
            if character == "\\", index + 1 < characters.count {
                if characters[index + 1] == "/" || characters[index + 1] == "." { isAddress = true }
                append(characters[index...(index + 1)])
                escaped += String(characters[index...(index + 1)])
                index += 2
                continue
            }
            if isInClass {
                isInClass = character != "]"
            } else {
                switch character {
                case "[": isInClass = true
                case "(":
                    depth += 1
                    let rest = characters[(index + 1)...]
                    if rest.starts(with: "?<=") || rest.starts(with: "?<!") { hasLookbehind = true }
                    if rest.first == "?" {
                        let flags = rest.dropFirst().prefix { $0.isLetter || $0 == "-" }
                        let next = rest.dropFirst(1 + flags.count).first
                        if !flags.isEmpty, next == ":", flags.allSatisfy({ "ims-".contains($0) }), modifiers == nil {
                            modifiers = "(?\(String(flags)):"
                        }
                    }
                case ")": depth -= 1
                case "|" where depth == 0:
                    alternatives.append("")
                    escaped.append(character)
                    index += 1
                    continue
                case "?"
                where index > 0
                    && (characters[index - 1].isLetter || characters[index - 1].isNumber
                        || characters[index - 1] == "/"):
                    // Behind it a name and an equals sign: that is a query and no optional letter.
                    let name = characters[(index + 1)...].prefix {
                        $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-"
                    }
                    if isAddress, !name.isEmpty, characters[(index + 1 + name.count)...].first == "=" {
                        hasQuery = true
                        escaped += "\\"
                    }
                default: break
                }
            }
            append([character])
            escaped.append(character)
            index += 1
        }
        withEscapedQuery = hasQuery ? escaped : nil
    }

    private mutating func append(_ characters: some Sequence<Character>) {
        alternatives[alternatives.count - 1] += String(Array(characters))
    }

    /// The pattern without blanks at its ends, inside the anchors there, and beside the bars between its alternatives;
    /// `nil` if there are none.
    var withoutOuterBlanks: String? {
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

    /// What stands in the groups that capture, by their numbers from 1; without those that are not closed.
    static func groups(of pattern: Substring) -> [Int: Substring] {
        var groups: [Int: Substring] = [:]
        var open: [(number: Int, start: Substring.Index)] = []
        var count = 0
        var isInClass = false
        var index = pattern.startIndex
        while index < pattern.endIndex {
            let character = pattern[index]
            let next = pattern.index(after: index)
            switch character {
            case "\\":
                index = next < pattern.endIndex ? pattern.index(after: next) : next
                continue
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass:
                let captures = next == pattern.endIndex || pattern[next] != "?"
                if captures { count += 1 }
                open.append((captures ? count : 0, next))
            case ")" where !isInClass:
                guard let group = open.popLast() else { return groups }
                if group.number > 0 { groups[group.number] = pattern[group.start..<index] }
            default: break
            }
            index = next
        }
        return groups
    }

    /// What stands in a group that the pattern is all of.
    private static func inner(of pattern: String) -> String? {
        guard pattern.hasPrefix("("), pattern.hasSuffix(")") else { return nil }
        if let inner = groups(of: pattern[...])[1], inner.utf8.count == pattern.utf8.count - 2 { return String(inner) }
        guard pattern.hasPrefix("(?:") else { return nil }
        // As one that captures it is the first.
        let capturing = "(" + pattern.dropFirst(3)
        return groups(of: capturing[...])[1].flatMap { inner in
            inner.utf8.count == capturing.utf8.count - 2 ? String(inner) : nil
        }
    }

    /// How many groups within each other are looked into that a pattern is all of.
    private static let mostGroups = 8

    /// The pattern with the anchors at its ends around all alternatives, if only the outer ones have them.
    var withCommonAnchors: String? { withCommonAnchors(within: Self.mostGroups) }

    private func withCommonAnchors(within groups: Int) -> String? {
        if alternatives.count == 1 {
            guard groups > 0 else { return nil }
            return Self.inner(of: alternatives[0]).flatMap { PatternShape($0).withCommonAnchors(within: groups - 1) }
        }
        guard let first = alternatives.first, let last = alternatives.last else { return nil }
        let starts = alternatives.map { $0.hasPrefix("^") }
        let ends = alternatives.map { $0.hasSuffix("$") && !$0.hasSuffix("\\$") }
        // One that is anchored at both ends is complete by itself.
        let isStarted = starts[0] && !ends[0] && !starts.dropFirst().contains(true)
        let isEnded = ends[ends.count - 1] && !starts[starts.count - 1] && !ends.dropLast().contains(true)
        guard isStarted || isEnded else { return nil }
        var inner = alternatives
        if isStarted { inner[0] = String(first.dropFirst()) }
        if isEnded { inner[inner.count - 1] = String(last.dropLast()) }
        return (isStarted ? "^" : "") + "(?:" + inner.joined(separator: "|") + ")" + (isEnded ? "$" : "")
    }
}
