/// The name of an enum's case for a key: the key's words in camel case.
struct SwiftCaseName {
    /// The name, which is a valid identifier once it is quoted.
    let text: String

    init(of key: String) {
        var words: [String] = []
        var word = ""
        for scalar in key.unicodeScalars {
            if Self.isLetter(scalar) || Self.isDigit(scalar) {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        var name = words.first.map(Self.lowercased) ?? "key"
        for word in words.dropFirst() { name += word.prefix(1).uppercased() + word.dropFirst() }
        if let scalar = name.unicodeScalars.first, Self.isDigit(scalar) { name = "_" + name }
        // Enums of keys, and optionals of them, already have members with these names.
        if Self.takenNames.contains(name) { name += "Key" }
        // Changing the case of a letter may result in other characters.
        let isIdentifier = name.unicodeScalars.allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == "_" }
        text = isIdentifier ? name : "key"
    }

    /// `name` for a declaration: a keyword gets backticks.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// `word` as the first word of a name: `NEW` becomes `new`, and `NewSearch` becomes `newSearch`.
    private static func lowercased(_ word: String) -> String {
        word == word.uppercased() ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Whether an identifier in Swift may begin with `scalar`. Only letters in these ranges are supported.
    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
        guard letterRanges.contains(where: { $0.contains(scalar.value) }) else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: true
        default: false
        }
    }

    private static let letterRanges: [ClosedRange<UInt32>] = [
        0xC0...0x2AF, 0x370...0x167F, 0x1E00...0x1FFF, 0x3041...0x312F, 0x3400...0x9FFF, 0xAC00...0xD7A3,
    ]

    private static let takenNames: Set<String> = [
        "self", "init", "allCases", "rawValue", "hashValue", "hash", "none", "some",
    ]

    private static let keywords: Set<String> = [
        "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "open", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
