/// Signs that look like those on a keyboard and stand in a word, such as the dash in `pro–plus`.
struct LookAlikeSigns {
    private let scalars: [Unicode.Scalar]
    private let isPattern: Bool
    /// Whether the text is a single word or an address. Between words of a text, typography asks for dashes.
    private let isWord: Bool

    init(_ scalars: [Unicode.Scalar], isPattern: Bool) {
        self.scalars = scalars
        self.isPattern = isPattern
        isWord = !scalars.contains { $0.properties.isWhitespace }
    }

    /// The sign on a keyboard for the one at a place; `nil` if the sign is right as it is.
    func plain(at place: Int) -> Unicode.Scalar? {
        let scalar = scalars[place]
        if scalar.isASCII { return nil }
        let before = place > 0 ? scalars[place - 1] : nil
        let after = place + 1 < scalars.count ? scalars[place + 1] : nil
        // In a pattern, a letter after a backslash is not part of a word.
        let isEscaped = isPattern && place > 1 && scalars[place - 2] == "\\"
        let isWithin = (before?.isOfWord ?? false) && (after?.isOfWord ?? false) && !isEscaped
        let isLatin = (before?.isASCII ?? false) && (after?.isASCII ?? false)
        switch scalar {
        case "\u{2010}", "\u{FE63}", "\u{FF0D}": return isWithin ? "-" : nil
        case "\u{2212}":
            // The sign of a negative number, too.
            let isSign = place == 0 && after?.isDigit ?? false
            return isSign || isWithin && isCode(around: place) ? "-" : nil
        case "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}": return isWithin && isCode(around: place) ? "-" : nil
        case "\u{2215}", "\u{2044}": return isWithin && isCode(around: place) ? "/" : nil
        case "\u{B4}", "\u{2BC}", "\u{2032}", "\u{201B}": return isWithin && isLatin ? "'" : nil
        // Full-width forms of ASCII signs, which are usual beside full-width letters.
        case "\u{FF0E}", "\u{FF0F}", "\u{FF3F}", "\u{FF20}", "\u{FF1A}", "\u{FF0B}":
            return isWithin && isLatin ? Unicode.Scalar(scalar.value - 0xFEE0) : nil
        default: return nil
        }
    }

    /// Whether the word around a dash is a code and no name: in lower case, in upper case, or of short parts. Names
    /// such as `Paris–Nice` and ranges such as `2019–2024` have dashes.
    private func isCode(around place: Int) -> Bool {
        guard isWord else { return false }
        func isPart(_ scalar: Unicode.Scalar) -> Bool { scalar.isOfWord || scalar == "-" || scalar == "_" }
        let start = scalars[..<place].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = scalars[(place + 1)...].firstIndex { !isPart($0) } ?? scalars.count
        let (left, right) = (scalars[start..<place], scalars[(place + 1)..<end])
        let letters = (left + right).filter(\.properties.isAlphabetic)
        guard !letters.isEmpty, max(left.count, right.count) > 1 else { return false }
        let isShort = max(left.count, right.count) <= 3
        return isShort || !letters.contains(where: \.properties.isUppercase)
            || !letters.contains(where: \.properties.isLowercase)
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
