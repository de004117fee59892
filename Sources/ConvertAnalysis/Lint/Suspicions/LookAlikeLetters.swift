internal import Foundation

/// Letters of other scripts that look like Latin ones.
enum LookAlikeLetters {
    /// Cyrillic and then Greek letters, each with the Latin letter that it resembles.
    private static let pairs = zip(
        "аеіјорсухѕһԁԛԝАВЕІЈКМНОРСТУХЅονραικυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ".unicodeScalars,
        "aeijopcyxshdqwABEIJKMHOPCTYXSovpaikuABEZHIKMNOPTYX".unicodeScalars)
    private static let latin = Dictionary(firstOf: pairs.map { ($0, $1) })
    private static let cyrillic = Dictionary(firstOf: pairs.map { ($1, $0) })

    /// The text without invisible characters, and with Latin letters in place of look-alikes; `nil` if nothing in the
    /// text changes.
    static func plain(_ text: String, isPattern: Bool) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        let scalars = Array(text.unicodeScalars)
        let signs = LookAlikeSigns(scalars, isPattern: isPattern)
        let hasDirections = text.unicodeScalars.contains { (0x590...0x8FF).contains($0.value) }
        var shown = String.UnicodeScalarView()
        for (place, scalar) in scalars.enumerated() {
            if place > 0, place + 1 < scalars.count, isDirection(scalar), !hasDirections { continue }
            if let plain = signs.plain(at: place) ?? sign(like: scalar, between: place > 0 ? scalars[place - 1] : nil) {
                shown.append(plain)
                continue
            }
            if isHidden(scalar), place > 0, place + 1 < scalars.count,
                scalars[place - 1].isOfWord, scalars[place + 1].isOfWord
            {
                continue
            }
            // Full-width forms of ASCII characters.
            let isWide = ("\u{FF10}"..."\u{FF5A}").contains(scalar) && scalar.isOfWord
            shown.append(isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
        }
        var visible = String(shown)
        if shown.contains(where: { (0x300...0x36F).contains($0.value) }) {
            visible = visible.precomposedStringWithCanonicalMapping
        }
        if let unmixed = unmixed(visible, isPattern: isPattern) { return unmixed }
        return visible.unicodeScalars.elementsEqual(scalars) ? nil : visible
    }

    /// Whether the scalar is an invisible mark that sets the direction of text or separates Mongolian vowels.
    static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{180E}": true
        default: false
        }
    }

    /// The ASCII character on a keyboard for which word processors write this scalar; `nil` for other scalars.
    private static func sign(like scalar: Unicode.Scalar, between before: Unicode.Scalar?) -> Unicode.Scalar? {
        switch scalar {
        case "\u{A0}", "\u{202F}": before == nil ? nil : " "
        case "\u{2011}": "-"
        case "\u{2019}", "\u{2018}": before?.isOfWord ?? false ? "'" : nil
        default: nil
        }
    }

    /// Whether the scalar is invisible. Joiners are letters in some scripts, and invisible only between Latin letters.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        ["\u{AD}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}"].contains(scalar)
    }

    /// The text with each word that mixes look-alikes of two scripts written in one script: the script of most of its
    /// letters; `nil` if no word mixes scripts. In a pattern, a character after a backslash is not part of a word.
    private static func unmixed(_ text: String, isPattern: Bool) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        var result = String.UnicodeScalarView()
        var word: [Unicode.Scalar] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isAlphabetic, !isEscaped {
                word.append(scalar)
            } else {
                result += unmixed(word)
                word = []
                result.append(scalar)
            }
            isEscaped = isPattern && scalar == "\\" && !isEscaped
        }
        result += unmixed(word)
        let unmixed = String(result)
        return unmixed.unicodeScalars.elementsEqual(text.unicodeScalars) ? nil : unmixed
    }

    private static func unmixed(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let latinCount = word.count { $0.isASCII }
        let others = word.filter { !$0.isASCII }
        if latinCount == 0 || others.isEmpty { return word }
        // Letters with marks are part of Latin words, too.
        let foreign = others.filter { ("\u{370}"..."\u{52F}").contains($0) }
        if foreign.isEmpty { return word }
        if foreign.count <= latinCount {
            return foreign.allSatisfy { latin[$0] != nil } ? word.map { latin[$0] ?? $0 } : word
        }
        let isCyrillic = foreign.allSatisfy { $0 >= "\u{400}" }
        let canChange = word.allSatisfy { !$0.isASCII || cyrillic[$0] != nil }
        return isCyrillic && canChange ? word.map { cyrillic[$0] ?? $0 } : word
    }
}

extension String {
    /// The text with the code points of look-alikes and invisible characters, such as `\u{A0}`.
    var spelledOut: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.value {
            case 0xA0, 0xAD, 0xB4, 0x180E, 0x2BC, 0x300...0x52F, 0x2000...0x206F, 0x2212, 0x2215, 0xFE00...0xFFFF:
                text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a letter or a digit of a script that does not join its letters.
    var isOfWord: Bool {
        let isNarrow = value < 0x530 && (properties.isAlphabetic || properties.numericType != nil)
        return isNarrow || ("\u{FF10}"..."\u{FF19}").contains(self) || ("\u{FF21}"..."\u{FF3A}").contains(self)
            || ("\u{FF41}"..."\u{FF5A}").contains(self)
    }
}
