internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for values with a sign or a word for a negation, such as `!de` and `not de`, and for single values in
/// brackets, such as `[de]`.
extension LintContext {
    /// Checks a value, or an item of a list. Returns whether it added a finding.
    mutating func checkSpokenNotation(of text: String, _ site: SitedCondition) -> Bool {
        let condition = site.condition
        switch site.operation {
        case .equals:
            if let excluded = excludedText(in: text, site) {
                suspect(
                    .literalPattern, site,
                    meaning: [condition.comparing(condition.matchType, .string(excluded), negated: true)],
                    "\(condition.matchType) compares plain text: a sign or a word for a negation stands for itself.")
                return true
            }
            guard let texts = bracketed(text, site) else { return false }
            suspect(
                .literalPattern, site,
                meaning: texts.map { condition.comparing(condition.matchType, .string($0)) },
                writing: texts.count > 1 ? condition.comparing(.equals, anyOf: texts) : nil,
                "\(condition.matchType) compares plain text: brackets stand for themselves.")
            return true
        case .isIn: return checkExcludedItems(in: text, site)
        default: return false
        }
    }

    /// Checks for a list with excluded items, such as `!de|!at`.
    ///
    /// - Parameter item: an item of the list.
    private mutating func checkExcludedItems(in item: String, _ site: SitedCondition) -> Bool {
        guard excludedText(in: item, site) != nil else { return false }
        let condition = site.condition
        let items: [String]
        switch condition.value {
        case .string(let list)?: items = list.parts(between: "|")
        case .array(let values)?: items = values.map { ECMAScript.toString($0) }
        default: return false
        }
        let message = "\(condition.matchType) compares plain text: a sign or a word for a negation stands for itself."
        let excluded = items.prefix(Self.mostItems).compactMap { excludedText(in: $0, site) }
        if excluded.count == items.count {
            let isList = condition.value?.arrayValue != nil
            let value = isList ? JSValue.array(excluded.map { .string($0) }) : .string(excluded.joined(separator: "|"))
            suspect(
                .literalPattern, site, meaning: [condition.comparing(condition.matchType, value, negated: true)],
                message)
        } else {
            add(
                .literalPattern, at: site.valuePath,
                message + " '\(item.excerpt())' excludes nothing.",
                remedy: "Exclude it in a condition of its own, with true as negated, in another clause of AND.",
                witness: witness(with: item, site))
        }
        return true
    }

    /// The text that a value with a negation excludes, such as `de` in `!de`; `nil` for other values.
    ///
    /// Many names begin with a word for a negation, so a word counts only if it is written as an operator, or if the
    /// attribute has one of a few values.
    private func excludedText(in text: String, _ site: SitedCondition) -> String? {
        guard let (rest, sign) = text.trimmed.negation, site.scope == .visitor else { return nil }
        let word = rest.unquoted ?? rest
        let isNumber = !word.isEmpty && word.utf8.allSatisfy { (48...57).contains($0) }
        guard word.isWord || isNumber && sign != .minus else { return nil }
        let isChoice = site.condition.isChoiceByName
        switch sign {
        case .mark: return site.condition.isNamed(like: Self.spokenNames) ? nil : word
        case .minus: return isChoice && CountryCodes.contains(word) ? word : nil
        case .operatorWord:
            return word.lowercased() == word || isChoice && CountryCodes.contains(word) ? word : nil
        case .word:
            let lower = word.lowercased()
            let isState = lower.hasSuffix("ed") || lower.hasSuffix("able") || Self.states.contains(lower)
            return isChoice && !isState ? word : nil
        }
    }

    /// The texts in a value with brackets around it, such as `[de]`, `(de, at)` and `['de']`; `nil` for other values.
    ///
    /// Some apps have a single text in brackets as a value, so it counts only if the attribute has one of a few values,
    /// or if another condition compares the attribute with the text.
    private func bracketed(_ text: String, _ site: SitedCondition) -> [String]? {
        let text = text.trimmed
        guard let first = text.first, let last = text.last, text.count > 2,
            ["[]", "()", "{}", "<>"].contains("\(first)\(last)"), site.scope == .visitor,
            !site.condition.isNamed(like: ["city", "place", "location", "address", "name", "title", "label", "subject"])
        else { return nil }
        let inner = text.dropFirst().dropLast()
        let parts = inner.split(omittingEmptySubsequences: false, whereSeparator: { ",;|".contains($0) }).map { part in
            let text = String(part).trimmed
            return text.unquoted ?? text
        }
        guard parts.allSatisfy(\.isWord), first != "<" || parts.count == 1 else { return nil }
        if parts.count > 1 { return parts }
        let lower = ECMAScript.toLowerCase(parts[0])
        let others = site.condition.attribute.flatMap { comparedTexts[$0] } ?? []
        let isKnown = site.condition.isChoiceByName && !Self.bracketedWords.contains(lower) || others.contains(lower)
        return isKnown ? parts : nil
    }

    /// Parts of the names of attributes whose values people write.
    private static let spokenNames = [
        "command", "message", "text", "comment", "query", "search", "password", "chat", "input", "title", "name",
    ]
    /// Words that make names of states with `not`, such as `not set`.
    private static let states: Set<String> = [
        "set", "sure", "known", "found", "active", "member", "yet", "online", "eligible", "started", "given", "now",
        "any", "a", "the", "for", "in", "on", "ok", "me", "my", "us",
    ]
    /// Words that analytics services write in brackets.
    private static let bracketedWords: Set<String> = [
        "none", "direct", "organic", "referral", "unknown", "other", "empty", "blank", "null", "undefined", "deleted",
        "redacted", "removed", "hidden", "all", "any", "default", "n-a", "na", "unset", "unassigned", "internal",
    ]
}

extension RuleCondition {
    /// The words of names of attributes that have one of a few values, such as codes.
    private static let choices: Set<String> = [
        "country", "countries", "land", "lang", "language", "locale", "region", "market", "currency", "continent",
        "plan", "tier", "role", "device", "browser", "platform", "os", "segment", "group", "brand", "channel",
        "source", "medium", "edition", "package",
    ]

    /// Whether a word of the attribute's name stands for one of a few values.
    var isChoiceByName: Bool { NameForm.words(of: key ?? "").contains(where: Self.choices.contains) }
}

/// The form of a negation in a text.
private enum Negation {
    /// `!de`
    case mark
    /// `-de`
    case minus
    /// `NOT de` and `not:de`
    case operatorWord
    /// `not de`
    case word
}

extension String {
    /// The rest of a text that begins with a negation, and the form of the negation; `nil` for other texts.
    fileprivate var negation: (rest: String, sign: Negation)? {
        guard let first else { return nil }
        func rest(behind start: String) -> String {
            let rest = String(dropFirst(start.count)).trimmed
            let isGroup = rest.count > 2 && rest.hasPrefix("(") && rest.hasSuffix(")")
            return isGroup ? String(rest.dropFirst().dropLast()).trimmed : rest
        }
        if "!¬".contains(first) { return (rest(behind: String(first)), .mark) }
        if first == "-" || first == "\u{2212}" { return (rest(behind: String(first)), .minus) }
        let lower = lowercased()
        for word in ["not", "except", "exclude", "excluding", "neq", "ne"] where lower.hasPrefix(word) {
            guard let next = dropFirst(word.count).first else { return nil }
            let isCapital = prefix(word.count).allSatisfy(\.isUppercase) && word == "not"
            if next == ":" || next == "(" {
                return (rest(behind: String(prefix(word.count)) + (next == ":" ? ":" : "")), .operatorWord)
            }
            if next == " " { return (rest(behind: word), isCapital ? .operatorWord : .word) }
        }
        for words in [
            "is not ", "isn't ", "all but ", "anything but ", "everything but ", "other than ", "nicht ", "pas ",
            "sauf ", "außer ",
        ] where lower.hasPrefix(words) {
            return (rest(behind: words), .word)
        }
        return nil
    }
}
