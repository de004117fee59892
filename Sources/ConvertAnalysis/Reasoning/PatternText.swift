/// The characters of a pattern with their roles. All code that examines a pattern's syntax uses this type.
struct PatternText {
    private enum Role {
        case plain
        /// A backslash outside of a class, or the character after it.
        case escaped
        /// A character in a class, or one of its brackets.
        case inClass
    }

    let characters: [Character]
    /// The ranges of the classes, including brackets. Unclosed classes are left out.
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

    /// The character at an index; `nil` if the index is out of bounds.
    subscript(index: Int) -> Character? { characters.indices.contains(index) ? characters[index] : nil }

    /// Whether a character is outside of classes and not escaped.
    func isPlain(_ index: Int) -> Bool { roles[index] == .plain }

    /// The pattern with plain characters replaced. `body` receives an index, and returns the replacement and the number
    /// of characters to replace.
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

    /// The alternatives outside of all parentheses.
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

    /// The characters after each parenthesis that opens a group with a question mark.
    private var groupSigns: some Sequence<ArraySlice<Character>> {
        characters.indices.lazy.filter { isPlain($0) && characters[$0] == "(" && self[$0 + 1] == "?" }
            .map { characters[($0 + 2)...] }
    }

    /// The first group with modifiers, such as `(?i:`; `nil` if no group has modifiers.
    var modifiers: String? {
        groupSigns.lazy.compactMap { sign in
            let flags = sign.prefix { $0.isLetter || $0 == "-" }
            let areModifiers = !flags.isEmpty && flags.allSatisfy { "ims-".contains($0) }
            return areModifiers && sign.dropFirst(flags.count).first == ":" ? "(?\(String(flags)):" : nil
        }.first { _ in true }
    }

    /// Whether the pattern contains a lookbehind.
    var hasLookbehind: Bool { groupSigns.contains { $0.starts(with: "<=") || $0.starts(with: "<!") } }

    /// The ranges of the closed groups' contents, with the numbers of the capturing ones. Other groups have the number
    /// 0.
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

    /// The ranges of the capturing groups' contents, by number from 1. Unclosed groups are left out.
    var groups: [Int: Range<Int>] {
        Dictionary(closedGroups.filter { $0.number > 0 }.map { ($0.number, $0.place) }, uniquingKeysWith: { $1 })
    }

    /// The contents of a group that is the whole pattern; `nil` if the pattern is not a single group.
    var whole: PatternText? {
        guard characters.count > 2, let group = closedGroups.last, group.place == 1..<characters.count - 1 else {
            return nil
        }
        let inner = characters[group.place]
        if group.number > 0 { return PatternText(String(inner)) }
        return inner.starts(with: "?:") ? PatternText(String(inner.dropFirst(2))) : nil
    }
}
