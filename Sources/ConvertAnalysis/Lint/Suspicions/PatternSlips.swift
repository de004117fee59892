/// Finds patterns that do not match what they seem to match, each with a suggested correction.
struct PatternSlips {
    /// A mistake: the pattern that was probably meant, and the problem with the present one.
    struct Slip {
        let meant: String
        /// Whether the texts that ``meant`` matches were meant to be excluded.
        var isNegated = false
        let reason: String
        /// The condition under which the correction applies.
        var proviso = ", if that is meant"
    }

    private static let domains: Set<String> = [
        "com", "net", "org", "info", "biz", "io", "app", "dev", "shop", "co", "eu", "de", "at", "ch", "fr", "it", "es",
        "nl", "be", "uk", "ie", "us", "ca", "au", "nz", "jp", "cn", "in", "br", "mx", "pl", "cz", "se", "no", "dk",
        "fi",
        "pt", "local",
    ]

    private let text: PatternText
    private let pattern: String
    private var characters: [Character] { text.characters }

    init(_ pattern: String) {
        self.pattern = pattern
        text = PatternText(pattern)
    }

    /// The slips in the pattern, at most one of each kind.
    var all: [Slip] {
        [
            anchors, characterClass, words, query, openHost, openExtension, openNumber, star, count, list,
            lostBackslash, excludedWords,
        ].compactMap(\.self)
    }

    /// The index of a quantifier's closing brace; `nil` if the brace is not closed nearby.
    private func closingBrace(behind index: Int) -> Int? { characters[index...].prefix(12).firstIndex(of: "}") }

    private func isWord(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "-" } ?? false
    }

    /// `^de|at$`, which matches texts that begin with one word or end with the other.
    private var anchors: Slip? {
        text.withCommonAnchors.map {
            Slip(
                meant: $0, reason: "An anchor belongs to the alternative that it stands in, not to the others.",
                proviso: ", if all alternatives are meant")
        }
    }

    /// `[de|at]` and `[de,at]`, which look like alternatives, `[1-12]`, which looks like a range of numbers, and
    /// `[A-z]`, which contains more than letters.
    private var characterClass: Slip? {
        var meant = ""
        var end = 0
        for place in text.classes {
            meant += String(characters[end..<place.lowerBound])
            let members = characters[place.dropFirst().dropLast()]
            let isRepeated = text[place.upperBound].map("*+?{".contains) ?? false
            if !isRepeated, let words = Self.words(in: members) {
                meant += "(?:\(words))"
            } else if let numbers = NumberRange(members) {
                meant += numbers.pattern
            } else if members.contains("\\") {
                meant += String(characters[place])
            } else {
                let ranges = String(members).split(separator: "A-z", omittingEmptySubsequences: false)
                meant += "[\(ranges.joined(separator: "A-Za-z"))]"
            }
            end = place.upperBound
        }
        meant += String(characters[end...])
        if meant == pattern { return nil }
        return Slip(
            meant: meant, reason: "Brackets match a single character, which is one of those in them.")
    }

    /// Alternatives of several characters each, written in brackets; `nil` for other contents.
    private static func words(in members: ArraySlice<Character>) -> String? {
        let words = members.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "|" || $0 == "," })
        let areWords = words.allSatisfy { $0.count > 1 && $0.allSatisfy { $0.isLetter || $0.isNumber } }
        return words.count > 1 && areWords ? words.map { String($0) }.joined(separator: "|") : nil
    }

    /// `de, at`, which is a single text.
    private var words: Slip? {
        pattern.joinedWords.map {
            Slip(
                meant: $0.joined(separator: "|"), reason: "A comma or a semicolon separates nothing in a pattern.",
                proviso: ", if alternatives are meant")
        }
    }

    /// `/page?id=1`, in which the letter before the query is optional.
    private var query: Slip? {
        let address = characters.firstIndex { $0 == "/" || $0 == "." } ?? .max
        let meant = text.rewritten { index in
            guard characters[index] == "?", index > address,
                let before = text[index - 1], before.isLetter || before.isNumber || before == "/"
            else { return nil }
            // If a name and an equals sign follow, it is a query and not an optional letter.
            let name = characters[(index + 1)...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            return !name.isEmpty && text[name.endIndex] == "=" ? ("\\?", 1) : nil
        }
        return meant.map {
            Slip(
                meant: $0,
                reason: "A '?' makes what stands before it optional; an address with a query is not matched.",
                proviso: ", if the query of an address is meant")
        }
    }

    /// `www.shop.com`, in which the dots match any character.
    private var openHost: Slip? {
        var open: Set<Int> = []
        var index = 0
        while index < characters.count {
            guard text.isPlain(index), isWord(characters[index]) else {
                index += 1
                continue
            }
            // A host consists of labels with dots between them, escaped or not.
            let before = text[index - 1]
            let isStart = before.map { "^/(|@:".contains($0) || $0 == "\\" } ?? true
            var points: [Int] = []
            var label = ""
            var last = ""
            while let next = text[index] {
                if isWord(next), text.isPlain(index) {
                    label.append(next)
                } else if next == ".", !label.isEmpty, isWord(text[index + 1]) {
                    if text.isPlain(index) { points.append(index) }
                    last = label
                    label = ""
                } else if next != "\\" || text[index + 1] != "." {
                    break
                }
                index += 1
            }
            let isEnd = text[index].map { "$/)|:?\\#".contains($0) } ?? true
            if isStart, isEnd, !last.isEmpty, Self.domains.contains(label.lowercased()) { open.formUnion(points) }
            if label.isEmpty { index += 1 }
        }
        return text.rewritten { open.contains($0) ? ("\\.", 1) : nil }.map {
            Slip(meant: $0, reason: "A '.' matches any character, and the pattern looks like the name of a host.")
        }
    }

    /// `.*.pdf`, in which the second dot matches any character.
    private var openExtension: Slip? {
        text.withEscapedExtensions.map {
            Slip(meant: $0, reason: "A '.' matches any character, and an extension of a file follows it.")
        }
    }

    /// `^10.0.0.1$`, in which the dots match any character.
    private var openNumber: Slip? {
        text.withEscapedNumbers.map {
            Slip(meant: $0, reason: "A '.' matches any character, and the pattern looks like an address or a version.")
        }
    }

    /// `^/shop/*$` and `/shop/*`, in which the slash is repeated.
    private var star: Slip? {
        let end = characters.last == "$" ? characters.count - 1 : characters.count
        guard end > 3, text[end - 1] == "*", text.isPlain(end - 1), text[end - 2] == "/",
            isWord(text[end - 3]) || text[end - 3] == "\\"
        else { return nil }
        return Slip(
            meant: String(characters[..<(end - 1)]) + ".*" + String(characters[end...]),
            reason: "A '*' repeats what stands before it, which is the slash.")
    }

    /// `\d{2-3}` and `\d{2, 3}`, in which the braces are literal characters.
    private var count: Slip? {
        let meant = text.rewritten { index in
            guard characters[index] == "{", let end = closingBrace(behind: index) else { return nil }
            let inner = String(characters[(index + 1)..<end])
            guard inner.contains("-") || inner.contains(" ") else { return nil }
            let numbers = inner.split(whereSeparator: { "-, ".contains($0) })
            guard (1...2).contains(numbers.count), numbers.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return nil }
            let isOpen = numbers.count == 1 && inner.contains(",")
            return ("{\(numbers.joined(separator: ","))\(isOpen ? "," : "")}", end - index + 1)
        }
        return meant.map { Slip(meant: $0, reason: "Braces with a hyphen or a blank stand for themselves.") }
    }

    /// `(de,at)` and `{de,at}`.
    private var list: Slip? {
        let meant = text.rewritten { index in
            let close: [Character: Character] = ["(": ")", "{": "}"]
            guard let closing = close[characters[index]] else { return nil }
            var inner = characters[(index + 1)...]
            let isSilent = inner.starts(with: "?:")
            if isSilent { inner = inner.dropFirst(2) }
            inner = inner.prefix { isWord($0) || $0 == "," }
            let end = inner.endIndex
            guard text[end] == closing else { return nil }
            let words = inner.split(separator: ",", omittingEmptySubsequences: false)
            guard words.count > 1, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isWord($0) } }),
                words.contains(where: { $0.contains(where: \.isLetter) })
            else { return nil }
            let joined = words.map { String($0) }.joined(separator: "|")
            return ("(\(isSilent || characters[index] == "{" ? "?:" : "")\(joined))", end - index + 1)
        }
        return meant.map { Slip(meant: $0, reason: "A comma separates nothing in a pattern.") }
    }

    /// `/p/d+`, in which a backslash is missing.
    private var lostBackslash: Slip? {
        let meant = text.rewritten { index in
            guard "dws".contains(characters[index]), !isWord(text[index - 1]), text[index - 1] != "\\",
                let next = text[index + 1], "+*{".contains(next)
            else { return nil }
            // A first label of a host.
            if characters[index...].starts(with: "w{3}") { return nil }
            // Next to other letters it is a letter: `d{2}x` does not look like a number.
            var end = index + 2
            if next == "{" { end = (closingBrace(behind: index) ?? index) + 1 }
            return isWord(text[end]) ? nil : ("\\\(characters[index])", 1)
        }
        return meant.map { Slip(meant: $0, reason: "A letter such as 'd' stands for itself without a backslash.") }
    }

    /// `[^de|at]`, which does not exclude words.
    private var excludedWords: Slip? {
        guard let place = text.classes.first, text[place.lowerBound + 1] == "^",
            let words = Self.words(in: characters[place.dropFirst(2).dropLast()])
        else { return nil }
        let rest = characters[place.upperBound...].drop { "+*".contains($0) }
        return Slip(
            meant: String(characters[..<place.lowerBound]) + "(?:\(words))" + String(rest), isNegated: true,
            reason: "Brackets exclude single characters, not words.")
    }
}
