/// Texts that were meant to be replaced by a value.
enum Placeholders {
    /// Whether a text contains a name in a template's braces, such as `{{country}}`, or stands for an unknown value,
    /// such as `TODO`.
    ///
    /// - Parameter key: the name of the attribute that is compared, which may stand in marks, as in `<country>`.
    static func areIn(_ text: String, of key: String?) -> Bool {
        isWord(text) || isWhole(text) || isMarked(text, key)
            || [("{{", "}}"), ("${", "}"), ("<%", "%>")].contains { has($0.0, $0.1, in: text, isName) }
            || has("$(", ")", in: text) { isName($0) && $0.first?.isLetter ?? false }
            || has("{", "}", in: text) { isName($0) && $0.first?.isLetter ?? false && !$0.contains("-") }
            || has("{", "}", in: text) { $0.count == 1 && $0.allSatisfy(\.isNumber) }
    }

    /// Whether the text is the attribute's own name in marks for parameters.
    private static func isMarked(_ text: String, _ key: String?) -> Bool {
        guard let key, !key.isEmpty, text.count > key.count else { return false }
        return [("<", ">"), ("[", "]"), (":", ""), ("@", "")].contains { text == $0.0 + key + $0.1 }
    }

    /// Whether a regular expression contains a placeholder. Single braces and brackets have another meaning there.
    static func areInPattern(_ text: String) -> Bool {
        has("{{", "}}", in: text, isName) || has("${", "}", in: text) { isName($0) && $0.first?.isLetter ?? false }
    }

    private static let words: Set<String> = ["TODO", "TBD", "FIXME"]
    private static let anyCaseWords: Set<String> = [
        "changeme", "change_me", "change-me", "replaceme", "replace_me", "replace-me", "placeholder", "your_value_here",
        "lorem ipsum", "tbd", "fixme", "insert_value_here", "enter value",
    ]

    private static func isWord(_ text: String) -> Bool {
        words.contains(text) || anyCaseWords.contains(text.lowercased())
    }

    /// Whether the whole text is a name that is marked at both ends, or only at the start.
    private static func isWhole(_ text: String) -> Bool {
        func isUpper(_ name: Substring) -> Bool {
            name.count > 2 && name.first?.isLetter ?? false
                && name.allSatisfy { $0 == "_" || $0.isNumber || $0.isLetter && $0.isUppercase }
        }
        if text.hasPrefix("[["), text.hasSuffix("]]"), text.count > 4 { return isName(text.dropFirst(2).dropLast(2)) }
        if text.hasPrefix("__"), text.hasSuffix("__"), text.count > 4 { return isName(text.dropFirst(2).dropLast(2)) }
        if text.hasPrefix("%"), text.hasSuffix("%"), text.count > 2 { return isUpper(text.dropFirst().dropLast()) }
        return text.hasPrefix("$") && isUpper(text.dropFirst())
    }

    private static func isName(_ text: Substring) -> Bool {
        let name = String(text).trimmed
        return !name.isEmpty && name.count < 60
            && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.= ".contains($0) }
    }

    /// Whether a name stands between `start` and `end`.
    private static func has(
        _ start: String, _ end: String, in text: String, _ isName: (Substring) -> Bool
    ) -> Bool {
        var parts = text.split(separator: start, omittingEmptySubsequences: false).dropFirst()
        while let part = parts.popFirst() {
            let pieces = part.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false)
            if pieces.count > 1, isName(pieces[0]) { return true }
        }
        return false
    }
}
