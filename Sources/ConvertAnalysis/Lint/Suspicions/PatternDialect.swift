internal import ConvertECMAScript

/// Finds the meaning of a pattern in the dialect of another engine.
struct PatternDialect {
    /// The foreign constructs, such as `\A`, each once.
    private(set) var foreign: [String] = []
    private var noted: Set<String> = []
    /// A translation of the pattern for JavaScript, as far as possible.
    private(set) var translation = ""

    private static let classes: [String: String] = [
        "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": "\\s",
        "xdigit": "0-9a-fA-F", "word": "\\w", "punct": "!-\\/:-@\\[-`{-~", "blank": " \\t",
    ]

    /// The translations of foreign escapes, outside and inside a class.
    private static let escapes: [Character: (outside: String, inside: String)] = [
        "A": ("^", ""), "G": ("^", ""), "Z": ("$", ""), "z": ("$", ""), "h": ("[ \\t]", " \\t"), "K": ("", ""),
        "e": ("\\x1b", "\\x1b"), "a": ("\\x07", "\\x07"), "R": ("(?:\\r\\n|\\n)", ""), "X": (".", ""),
        "<": ("\\b", ""), ">": ("\\b", ""), "m": ("\\b", ""), "M": ("\\b", ""), "y": ("\\b", ""),
        "N": (".", ""), "l": ("[a-z]", "a-z"),
    ]

    /// The maximum distance to the end of a comment.
    private static let longestComment = 200
    /// The maximum length of the translation up to which a group's contents replace a reference to the group.
    private static let longestTranslation = 10_000

    /// Whether the pattern says that it ignores case.
    private(set) var ignoresCase = false

    /// The contents of the capturing groups.
    private var groups: [Int: ArraySlice<Character>] = [:]
    /// Whether references to groups are kept; if not, a reference is replaced by the group's contents.
    private let keepsReferences: Bool
    /// Whether blanks and comments are ignored, as a modifier requires.
    private var skipsBlanks = false
    /// Whether parentheses and bars need a backslash to be special, as in basic regular expressions of POSIX.
    private var isBasic = false
    /// Whether every backslash is escaped once more.
    private var isEscapedTwice = false

    /// The pattern between delimiters, as JavaScript and PHP write patterns in code, and the form of the delimiters;
    /// `nil` if no delimiters stand around it.
    ///
    /// - Parameter bare: the delimiters that may stand without flags.
    static func undelimited(
        _ pattern: String, among delimiters: String, bare: String = ""
    ) -> (inner: Substring, sign: String)? {
        guard let delimiter = pattern.first, delimiters.contains(delimiter),
            let end = pattern.lastIndex(of: delimiter), end > pattern.startIndex
        else { return nil }
        let flags = pattern[pattern.index(after: end)...]
        let inner = pattern[pattern.index(after: pattern.startIndex)..<end]
        guard flags.isEmpty ? bare.contains(delimiter) && inner.contains(where: \.isLetter) : flags.count <= 4,
            flags.allSatisfy({ "gimsuyxvUD".contains($0) })
        else { return nil }
        return (inner, "\(delimiter)…\(delimiter)\(flags)")
    }

    init(_ pattern: String, keepsReferences: Bool = false) {
        self.keepsReferences = keepsReferences
        var rest = Substring(pattern)
        if let (inner, sign) = Self.undelimited(pattern, among: "/#~@%!", bare: "~@%!") {
            note(sign)
            rest = inner
            ignoresCase = sign.hasSuffix("i")
        }
        let text = PatternText(rest)
        if rest.contains("\\g") { groups = text.groups.mapValues { text.characters[$0] } }
        isBasic =
            ["\\(", "\\|", "\\)"].allSatisfy { rest.contains($0) }
            && !text.characters.indices.contains { text.isPlain($0) && "()|".contains(text.characters[$0]) }
        isEscapedTwice = Self.isEscapedTwice(rest)
        translate(rest)
    }

    private mutating func translate(_ pattern: Substring) {
        var rest = pattern
        var isInClass = false
        while let character = rest.popFirst() {
            switch character {
            case "\\": readEscape(&rest, isInClass: isInClass)
            case "[": readBracket(&rest, &isInClass)
            case "]":
                isInClass = false
                translation.append(character)
            case "(" where !isInClass && rest.first == "?": readGroup(&rest)
            case "+" where !isInClass && endsWithQuantifier:
                // A possessive quantifier, which never backtracks.
                note("\(translation.last ?? " ")+")
            case "{" where !isInClass && rest.first == ",":
                // Braces without a lower bound are literal characters.
                let count = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                let isForeign = !count.isEmpty && rest.dropFirst(count.count + 1).first == "}"
                if isForeign { note("{,\(count)}") }
                translation += isForeign ? "{0" : "{"
            case _ where skipsBlanks && !isInClass && character.isWhitespace: break
            case "#" where skipsBlanks && !isInClass: rest = rest.drop { !$0.isNewline }
            default: translation.append(character)
            }
        }
    }

    /// Reads the rest of a class or of a name in brackets.
    private mutating func readBracket(_ rest: inout Substring, _ isInClass: inout Bool) {
        if rest.hasPrefix("[:<:]]") || rest.hasPrefix("[:>:]]") {
            // The start and the end of a word.
            note("[\(rest.prefix(6))")
            translation += "\\b"
            rest = rest.dropFirst(6)
        } else if rest.first == ":" {
            let name = rest.dropFirst().prefix(while: \.isLetter)
            if rest[name.endIndex...].hasPrefix(":]"), let members = Self.classes[String(name)] {
                note("[:\(name):]")
                // Outside of a class, this was meant as a class.
                translation += isInClass ? members : "[\(members)]"
                rest = rest[name.endIndex...].dropFirst(2)
            } else {
                isInClass = true
                translation += "["
            }
        } else if !isInClass, let operation = ClassOperation(rest) {
            note(operation.sign)
            translation += operation.translation
            rest = rest[operation.end...]
        } else {
            isInClass = true
            translation += "["
            // In these dialects, a bracket in the first place is a literal character.
            if rest.first == "^" { translation.append(rest.removeFirst()) }
        }
    }

    /// Whether two backslashes stand before the letter of a class that is not part of a word.
    private static func isEscapedTwice(_ pattern: Substring) -> Bool {
        pattern.split(separator: "\\\\", omittingEmptySubsequences: false).dropFirst().contains { part in
            guard let letter = part.first, "dDwWsSbB".contains(letter) else { return false }
            return !(part.dropFirst().first.map { $0.isLetter || $0.isNumber } ?? false)
        }
    }

    /// Reads the rest of a group that begins with a question mark.
    private mutating func readGroup(_ rest: inout Substring) {
        let starts = [
            ("?P<", "(?<"), ("?P=", "\\k<"), ("?P>", "("), ("?>", "(?:"), ("?|", "(?:"), ("?'", "(?<"),
        ]
        for (sign, start) in starts where rest.hasPrefix(sign) {
            note("(\(sign)")
            rest = rest.dropFirst(sign.count)
            translation += start
            if sign == "?P=" || sign == "?'" {
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                translation += "\(name)>"
                rest = rest[name.endIndex...].dropFirst()
            }
            return
        }
        // Modifiers for the rest of the pattern. Case is ignored anyway.
        let flags = rest.dropFirst().prefix { $0.isLetter || $0 == "-" }
        if !flags.isEmpty, rest.dropFirst(1 + flags.count).first == ")", flags.allSatisfy({ "imsxuU-".contains($0) }) {
            note("(?\(flags))")
            let isOn = flags.prefix { $0 != "-" }
            if isOn.contains("x") { skipsBlanks = true }
            if isOn.contains("i") { ignoresCase = true }
            rest = rest.dropFirst(flags.count + 2)
            return
        }
        if rest.hasPrefix("?#"), let end = rest.utf8.prefix(Self.longestComment).firstIndex(of: UInt8(ascii: ")")) {
            note("(?#")
            rest = rest[rest.index(after: end)...]
            return
        }
        translation.append("(")
    }

    private var endsWithQuantifier: Bool {
        (translation.last.map { "+*?}".contains($0) } ?? false) && translation.dropLast().last != "\\"
    }

    private mutating func note(_ what: String) { if noted.insert(what).inserted { foreign.append(what) } }

    private mutating func readEscape(_ rest: inout Substring, isInClass: Bool) {
        guard let letter = rest.popFirst() else {
            translation += "\\"
            return
        }
        if let (outside, inside) = Self.escapes[letter] {
            note("\\\(letter)")
            translation += isInClass ? inside : outside
            return
        }
        switch letter {
        case "(", ")", "|", "{", "}":
            if isBasic, !isInClass {
                note("\\\(letter)")
                translation.append(letter)
            } else {
                translation += "\\\(letter)"
            }
        case "Q": readQuoted(&rest)
        case "p", "P": readProperty(letter, &rest, isInClass: isInClass)
        case "g" where !isInClass: readReference(&rest)
        case "x" where rest.first == "{", "u" where rest.first == "{", "o" where rest.first == "{":
            readCharacter(letter, &rest)
        case "\\": readBackslash(&rest)
        default: translation += "\\\(letter)"
        }
    }

    /// Reads the rest of `\Q…\E`.
    private mutating func readQuoted(_ rest: inout Substring) {
        note("\\Q…\\E")
        let end = rest.firstRange(of: "\\E")
        for quoted in rest[..<(end?.lowerBound ?? rest.endIndex)] { translation += Self.literal(quoted) }
        rest = end.map { rest[$0.upperBound...] } ?? ""
    }

    /// Reads the rest of a class by name, such as `\p{Lu}`.
    private mutating func readProperty(_ letter: Character, _ rest: inout Substring, isInClass: Bool) {
        var name = ""
        let braced = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || "_=^- ".contains($0) }
        if rest.first == "{", rest[braced.endIndex...].first == "}" {
            name = String(braced)
            rest = rest[braced.endIndex...].dropFirst()
        } else if let only = rest.first, only.isUppercase {
            name = String(rest.removeFirst())
        }
        guard !name.isEmpty else {
            translation += "\\\(letter)"
            return
        }
        note("\\\(letter){\(name)}")
        let members =
            switch name.first {
            case "N": "0-9"
            case "P", "S": "!-\\/:-@\\[-`{-~"
            case "Z": "\\s"
            default: name == "Lu" || name == "Upper" ? "A-Z" : "a-zA-Zà-öø-ÿÀ-ÖØ-Þ"
            }
        translation += isInClass ? members : letter == "P" ? "[^\(members)]" : "[\(members)]"
    }

    /// Reads the rest of a reference to a group, such as `\g{1}`.
    private mutating func readReference(_ rest: inout Substring) {
        let isBraced = rest.first == "{"
        let digits = rest.drop { $0 == "{" }.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let group = groups[number].map({ String($0) }) else {
            translation += "\\g"
            return
        }
        note("\\g\(number)")
        rest = rest.dropFirst(digits.count + (isBraced ? 2 : 0))
        // A reference matches again some of the text that its group can match.
        let isReference = keepsReferences || translation.utf8.count + group.utf8.count > Self.longestTranslation
        translation += isReference ? "\\\(number)" : "(?:\(group))"
        if isReference, rest.first?.isNumber ?? false { translation += "(?:)" }
    }

    /// Reads the rest of a character by number, such as `\x{41}`.
    private mutating func readCharacter(_ letter: Character, _ rest: inout Substring) {
        note("\\\(letter){…}")
        let digits = rest.dropFirst().prefix { $0 != "}" }
        rest = rest.dropFirst(digits.count + 2)
        let number = UInt32(digits, radix: letter == "o" ? 8 : 16)
        translation += number.flatMap(Unicode.Scalar.init).map { Self.literal(Character($0)) } ?? ""
    }

    /// Reads the rest of an escape that may be escaped twice, as in a program's source. Attributes hardly ever contain
    /// a backslash and a letter.
    private mutating func readBackslash(_ rest: inout Substring) {
        let isWord = rest.dropFirst().first.map { $0.isLetter || $0.isNumber } ?? false
        let isClass = rest.first.map { "dDwWsSbB".contains($0) && (!isWord || isEscapedTwice) } ?? false
        if let next = rest.first, isClass || ".?+*$^()[]{}|/-".contains(next) {
            note("\\\\\(next)")
            translation += "\\\(rest.removeFirst())"
        } else {
            translation += "\\\\"
        }
    }

    /// A pattern that matches only the character.
    private static func literal(_ character: Character) -> String {
        character.isLetter || character.isNumber || character == "_" ? "\(character)" : "\\\(character)"
    }
}
