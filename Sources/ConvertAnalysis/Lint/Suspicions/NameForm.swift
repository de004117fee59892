internal import ConvertECMAScript

/// A name in the forms used for comparing it with others.
struct NameForm {
    private let name: String
    private let letters: [UInt8]
    private let joined: [UInt8]

    init(_ name: String) {
        self.name = name
        letters = Array(name.utf8)
        joined = name.lowercased().utf8.filter { !"_-. ".utf8.contains($0) }
    }

    /// Whether two names differ only in a letter, the case or the separators of their words. Returns `false` for names
    /// that differ only in case, and for numbered names.
    func isNearly(_ other: NameForm) -> Bool {
        // Composed and decomposed letters look the same, but make two names.
        if name == other.name { return true }
        if joined == other.joined { return letters.count != other.letters.count || !differsInCaseAlone(from: other) }
        let (short, long) = joined.count < other.joined.count ? (joined, other.joined) : (other.joined, joined)
        let isPlural = short.count == 4 && long == short + [UInt8(ascii: "s")]
        guard short.count >= 5 || isPlural, long.count - short.count <= 1 else { return false }
        let start = zip(short, long).prefix { $0 == $1 }.count
        let end = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        if short.count < long.count {
            guard start + end >= short.count else { return false }
            return !digits.contains(long[start])
        }
        let rest = short.count - start - end
        if rest == 1 {
            return !digits.contains(short[start]) && !digits.contains(long[start]) && !isSeries(with: other)
        }
        // Two swapped letters, which stand side by side or in a long name; swapped digits make another number.
        guard rest == 2 || rest > 2 && short.count >= 8 else { return false }
        let (first, last) = (start, start + rest - 1)
        return short[first] == long[last] && short[last] == long[first]
            && short[(first + 1)..<last] == long[(first + 1)..<last]
            && !(digits.contains(short[first]) && digits.contains(long[first]))
    }

    /// Whether the names differ in a word of one or two letters, as `plan_a` and `plan_b` or `groupA` and `groupB` do.
    private func isSeries(with other: NameForm) -> Bool {
        let (words, others) = (Self.words(of: name), Self.words(of: other.name))
        guard words.count == others.count, words.count > 1 else { return false }
        return zip(words, others).allSatisfy { $0 == $1 || $0.count <= 2 && $1.count <= 2 }
    }

    /// The words of a name in lower case.
    static func words(of name: String) -> [String] {
        var words = [""]
        for character in name {
            if "_-. ".contains(character) {
                words.append("")
            } else {
                if character.isUppercase, words.last?.last?.isLowercase ?? false { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
        }
        return words
    }

    /// Whether keys of entities differ only in their separators, or in a letter in the middle that is doubled, missing
    /// or swapped. Keys that differ in one letter, or at their end, mostly form a series.
    func isTypo(of other: NameForm) -> Bool {
        if name == other.name { return !name.hasSameCodeUnits(as: other.name) }
        if joined == other.joined { return letters.count != other.letters.count || !differsInCaseAlone(from: other) }
        func withoutDigits(_ bytes: [UInt8]) -> [UInt8] {
            bytes.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        // Numbered keys form a series.
        guard isNearly(other), joined.count >= 7, withoutDigits(joined) != withoutDigits(other.joined) else {
            return false
        }
        let start = zip(joined, other.joined).prefix { $0 == $1 }.count
        let isWithin = start > 0 && start + 2 < max(joined.count, other.joined.count)
        let isReplaced = joined.count == other.joined.count && zip(joined, other.joined).count { $0 != $1 } == 1
        return isWithin && !isReplaced
    }

    private func differsInCaseAlone(from other: NameForm) -> Bool {
        zip(letters, other.letters).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 }
    }
}
