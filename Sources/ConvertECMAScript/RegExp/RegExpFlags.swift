/// The flags of a RegExp (ECMA-262, RegExpInitialize, 22.2.3.3, and `flags`, 22.2.6.4).
struct RegExpFlags: OptionSet, Sendable {
    let rawValue: UInt8

    static let hasIndices = RegExpFlags(rawValue: 1 << 0)
    static let global = RegExpFlags(rawValue: 1 << 1)
    static let ignoreCase = RegExpFlags(rawValue: 1 << 2)
    static let multiline = RegExpFlags(rawValue: 1 << 3)
    static let dotAll = RegExpFlags(rawValue: 1 << 4)
    static let sticky = RegExpFlags(rawValue: 1 << 5)
    static let unicode = RegExpFlags(rawValue: 1 << 6)
    static let unicodeSets = RegExpFlags(rawValue: 1 << 7)

    /// The letters, in JavaScript's order.
    private static let letters: [(letter: Unicode.Scalar, flag: RegExpFlags)] = [
        ("d", .hasIndices), ("g", .global), ("i", .ignoreCase), ("m", .multiline), ("s", .dotAll), ("u", .unicode),
        ("v", .unicodeSets), ("y", .sticky),
    ]

    /// The flag of a modifier letter (22.2.1, RegularExpressionModifier); `nil` for other letters.
    static func modifier(_ letter: Unicode.Scalar) -> RegExpFlags? {
        switch letter {
        case "i": .ignoreCase
        case "m": .multiline
        case "s": .dotAll
        default: nil
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(parsing text: String) throws(RegExpSyntaxError) {
        self = []
        for (offset, letter) in text.unicodeScalars.enumerated() {
            guard let flag = Self.letters.first(where: { $0.letter == letter })?.flag else {
                throw RegExpSyntaxError(.unknownFlag, at: offset)
            }
            guard insert(flag).inserted else { throw RegExpSyntaxError(.repeatedFlag, at: offset) }
            if isSuperset(of: [.unicode, .unicodeSets]) { throw RegExpSyntaxError(.conflictingFlags, at: offset) }
        }
    }

    /// The letters, in alphabetical order.
    var text: String {
        var result = ""
        for (letter, flag) in Self.letters where contains(flag) { result.unicodeScalars.append(letter) }
        return result
    }
}
