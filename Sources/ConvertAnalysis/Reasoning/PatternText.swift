/// The characters of a pattern with what each of them is there for: all that looks at the syntax of patterns reads them
/// here.
struct PatternText {
    private enum Role {
        case plain
        /// A backslash outside of a class, or the character behind it.
        case escaped
        /// A character of a class, its brackets included.
        case inClass
    }

    let characters: [Character]
    /// The places of the classes, their brackets included; one that is not closed is left out.
    private(set) var classes: [Range<Int>] = []
    private var roles: [Role] = []

    init(_ pattern: some StringProtocol) {
        characters = Array(pattern)
        roles.reserveCapacity(characters.count)
        var start: Int?
        while roles.count < characters.count {
            let index = roles.count
            if characters[index] == "\\", index + 1 < characters.count {
                roles += Array(repeating: start == nil ? .escaped : .inClass, count: 2)
                continue
            }
            if start == nil, characters[index] == "[" { start = index }
            roles.append(start == nil ? .plain : .inClass)
            if let first = start, characters[index] == "]" {
                classes.append(first..<index + 1)
                start = nil
            }
        }
    }

    /// The character at a place; `nil` beyond the ends.
    subscript(index: Int) -> Character? { characters.indices.contains(index) ? characters[index] : nil }

    /// Whether a place is outside of classes, and not behind a backslash.
    func isPlain(_ index: Int) -> Bool { roles[index] == .plain }

    /// The shortest text that the pattern matches, if it is a text without any sign but anchors at its ends, or with
    /// signs behind backslashes; `nil` if it is more.
    var literal: String? {
        var text = ""
        for (index, character) in characters.enumerated() {
            switch roles[index] {
            case .inClass: return nil
            case .plain where character == "^" && index == 0: continue
            case .plain where character == "$" && index == characters.count - 1: continue
            case .plain: if "\\^$.|?*+(){}]".contains(character) { return nil }
            case .escaped where character == "\\" && (index == 0 || roles[index - 1] != .escaped): continue
            case .escaped: if character.isLetter || character.isNumber { return nil }
            }
            text.append(character)
        }
        return text
    }

    /// The pattern with what `body` writes in place of plain characters: of as many from a place on as it says.
    func rewritten(_ body: (Int) -> (text: String, length: Int)?) -> String? {
        var result = ""
        var index = 0
        var isChanged = false
        while index < characters.count {
            if isPlain(index), let (text, length) = body(index) {
                result += text
                index += length
                isChanged = true
            } else {
                result.append(characters[index])
                index += 1
            }
        }
        return isChanged ? result : nil
    }

    /// The alternatives that are not in parentheses.
    var alternatives: [String] {
        var depth = 0
        var bars: [Int] = []
        for index in characters.indices where isPlain(index) {
            switch characters[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case "|" where depth == 0: bars.append(index)
            default: break
            }
        }
        return zip([0] + bars.map { $0 + 1 }, bars + [characters.count]).map { String(characters[$0..<$1]) }
    }

    /// What stands behind each parenthesis that opens a group with a question mark.
    private var groupSigns: some Sequence<ArraySlice<Character>> {
        characters.indices.lazy.filter { isPlain($0) && characters[$0] == "(" && self[$0 + 1] == "?" }
            .map { characters[($0 + 2)...] }
    }

    /// The first group with modifiers, such as `(?i:`.
    var modifiers: String? {
        groupSigns.lazy.compactMap { sign in
            let flags = sign.prefix { $0.isLetter || $0 == "-" }
            let areModifiers = !flags.isEmpty && flags.allSatisfy { "ims-".contains($0) }
            return areModifiers && sign.dropFirst(flags.count).first == ":" ? "(?\(String(flags)):" : nil
        }.first { _ in true }
    }

    /// Whether it looks at what stands before.
    var hasLookbehind: Bool { groupSigns.contains { $0.starts(with: "<=") || $0.starts(with: "<!") } }

    /// The places of what stands in groups, as far as they are closed, with the numbers of those that capture; others
    /// have the number 0.
    private var closedGroups: [(number: Int, place: Range<Int>)] {
        var groups: [(number: Int, place: Range<Int>)] = []
        var open: [(number: Int, start: Int)] = []
        var count = 0
        for index in characters.indices where isPlain(index) {
            if characters[index] == "(" {
                let captures = self[index + 1] != "?"
                if captures { count += 1 }
                open.append((captures ? count : 0, index + 1))
            } else if characters[index] == ")" {
                guard let (number, start) = open.popLast() else { return groups }
                groups.append((number, start..<index))
            }
        }
        return groups
    }

    /// What stands in the groups that capture, by their numbers from 1; without those that are not closed.
    var groups: [Int: Range<Int>] {
        Dictionary(closedGroups.filter { $0.number > 0 }.map { ($0.number, $0.place) }, uniquingKeysWith: { $1 })
    }

    /// What stands in a group that the pattern is all of.
    var whole: PatternText? {
        guard characters.count > 2, let group = closedGroups.last, group.place == 1..<characters.count - 1 else {
            return nil
        }
        let inner = characters[group.place]
        if group.number > 0 { return PatternText(String(inner)) }
        return inner.starts(with: "?:") ? PatternText(String(inner.dropFirst(2))) : nil
    }
}
