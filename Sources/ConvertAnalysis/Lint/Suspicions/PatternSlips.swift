/// Patterns that match something else than they seem to, each with what was probably meant.
struct PatternSlips {
    /// A slip: the pattern that was probably meant, and what is wrong with the one that stands there.
    struct Slip {
        let meant: String
        /// Whether what ``meant`` matches was to be excluded.
        var isNegated = false
        let reason: String
    }

    private static let domains: Set<String> = [
        "com", "net", "org", "info", "biz", "io", "app", "dev", "shop", "co", "eu", "de", "at", "ch", "fr", "it", "es",
        "nl", "be", "uk", "ie", "us", "ca", "au", "nz", "jp", "cn", "in", "br", "mx", "pl", "cz", "se", "no", "dk",
        "fi",
        "pt", "local",
    ]

    private let characters: [Character]
    /// Whether a place is in brackets, or behind a backslash.
    private let isPlain: [Bool]

    init(_ pattern: String) {
        characters = Array(pattern)
        var isPlain: [Bool] = []
        var isInClass = false
        var isEscaped = false
        for character in characters {
            isPlain.append(!isInClass && !isEscaped && character != "\\")
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if isInClass {
                isInClass = character != "]"
            } else {
                isInClass = character == "["
            }
        }
        self.isPlain = isPlain
    }

    /// The slips of the pattern, at most one of a kind.
    var all: [Slip] { [openHost, star, count, list, lostBackslash, excludedWords].compactMap(\.self) }

    /// The pattern with what `body` writes in place of each character, or of several from a place on.
    private func rewritten(_ body: (Int) -> (text: String, length: Int)?) -> String? {
        var result = ""
        var index = 0
        var isChanged = false
        while index < characters.count {
            if isPlain[index], let (text, length) = body(index) {
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

    private func character(_ index: Int) -> Character? { characters.indices.contains(index) ? characters[index] : nil }

    /// Where the braces of a quantifier end.
    private func closingBrace(behind index: Int) -> Int? { characters[index...].prefix(12).firstIndex(of: "}") }

    private func isWord(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "-" } ?? false
    }

    /// `www.shop.com`, whose points match any character.
    private var openHost: Slip? {
        var open: Set<Int> = []
        var index = 0
        while index < characters.count {
            guard isPlain[index], isWord(characters[index]) else {
                index += 1
                continue
            }
            // A host: labels with points between them, escaped or not.
            let before = character(index - 1)
            let isStart = before.map { "^/(|@:".contains($0) || $0 == "\\" } ?? true
            var points: [Int] = []
            var label = ""
            var last = ""
            while let next = character(index) {
                if isWord(next), isPlain[index] {
                    label.append(next)
                } else if next == ".", !label.isEmpty, isWord(character(index + 1)) {
                    if isPlain[index] { points.append(index) }
                    last = label
                    label = ""
                } else if next != "\\" || character(index + 1) != "." {
                    break
                }
                index += 1
            }
            let isEnd = character(index).map { "$/)|:?\\#".contains($0) } ?? true
            if isStart, isEnd, !last.isEmpty, Self.domains.contains(label.lowercased()) { open.formUnion(points) }
            if label.isEmpty { index += 1 }
        }
        return rewritten { open.contains($0) ? ("\\.", 1) : nil }.map {
            Slip(meant: $0, reason: "A '.' matches any character, and the pattern looks like the name of a host.")
        }
    }

    /// `^/shop/*$`, in which the slash is repeated.
    private var star: Slip? {
        let end = characters.last == "$" ? characters.count - 1 : characters.count
        guard characters.last == "$", end > 3, character(end - 1) == "*", isPlain[end - 1], character(end - 2) == "/",
            isWord(character(end - 3)) || character(end - 3) == "\\"
        else { return nil }
        return Slip(
            meant: String(characters[..<(end - 1)]) + ".*$",
            reason: "A '*' repeats what stands before it, which is the slash.")
    }

    /// `\d{2-3}` and `\d{2, 3}`, whose braces stand for themselves.
    private var count: Slip? {
        let meant = rewritten { index in
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
        let meant = rewritten { index in
            let close: [Character: Character] = ["(": ")", "{": "}"]
            guard let closing = close[characters[index]] else { return nil }
            var inner = characters[(index + 1)...]
            let isSilent = inner.starts(with: "?:")
            if isSilent { inner = inner.dropFirst(2) }
            inner = inner.prefix { isWord($0) || $0 == "," }
            let end = inner.endIndex
            guard character(end) == closing else { return nil }
            let words = inner.split(separator: ",", omittingEmptySubsequences: false)
            guard words.count > 1, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isWord($0) } }),
                words.contains(where: { $0.contains(where: \.isLetter) })
            else { return nil }
            let joined = words.map { String($0) }.joined(separator: "|")
            return ("(\(isSilent || characters[index] == "{" ? "?:" : "")\(joined))", end - index + 1)
        }
        return meant.map { Slip(meant: $0, reason: "A comma separates nothing in a pattern.") }
    }

    /// `/p/d+`, which has lost its backslash.
    private var lostBackslash: Slip? {
        let meant = rewritten { index in
            guard "dws".contains(characters[index]), !isWord(character(index - 1)), character(index - 1) != "\\",
                let next = character(index + 1), "+*{".contains(next)
            else { return nil }
            // The first label of a host.
            if characters[index...].starts(with: "w{3}") { return nil }
            // Beside other letters it is a letter: `d{2}x` is not seen as a number.
            var end = index + 2
            if next == "{" { end = (closingBrace(behind: index) ?? index) + 1 }
            return isWord(character(end)) ? nil : ("\\\(characters[index])", 1)
        }
        return meant.map { Slip(meant: $0, reason: "A letter such as 'd' stands for itself without a backslash.") }
    }

    /// `[^de|at]`, which excludes no word.
    private var excludedWords: Slip? {
        guard let start = characters.firstIndex(of: "["), character(start + 1) == "^",
            let end = characters[start...].firstIndex(of: "]")
        else { return nil }
        let words = characters[(start + 2)..<end].split(separator: "|", omittingEmptySubsequences: false)
        guard words.count > 1, words.allSatisfy({ $0.count > 1 && $0.allSatisfy { $0.isLetter || $0.isNumber } }) else {
            return nil
        }
        let inner = words.map { String($0) }.joined(separator: "|")
        return Slip(
            meant:
                String(characters[..<start]) + "(?:\(inner))"
                + String(characters[(end + 1)...].drop { "+*".contains($0) }),
            isNegated: true, reason: "Brackets exclude one character of those in them, not words.")
    }
}
