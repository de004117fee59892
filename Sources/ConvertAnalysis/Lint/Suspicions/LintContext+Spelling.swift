internal import ConvertECMAScript
internal import ConvertSwiftSDKCore
internal import Foundation

/// Checks for values that are not compared the way they are spelled.
extension LintContext {
    /// The maximum number of checked items in a list.
    static let mostItems = 200

    mutating func checkSpelling(of site: SitedCondition) {
        checkLetters(of: site)
        switch site.operation {
        case .isIn: checkList(of: site)
        case .regexMatches:
            if case .string(let pattern)? = site.condition.value { checkDialect(of: pattern, site) }
        case .equals, .contains, .startsWith, .endsWith:
            switch site.condition.value {
            case .string(let text)?: checkText(text, site)
            case .array(let items)?: checkArray(items, site)
            default: break
            }
        default: break
        }
    }

    /// Checks for words that mix scripts.
    private mutating func checkLetters(of site: SitedCondition) {
        let condition = site.condition
        let isPattern = site.operation == .regexMatches
        func unmixed(_ text: String) -> String? { LookAlikeLetters.plain(text, isPattern: isPattern) }
        let value: JSValue
        switch condition.value {
        case .string(let text)? where site.operation == .isIn:
            var items = text.parts(between: "|")
            var isChanged = false
            for index in items.indices.prefix(Self.mostItems) {
                guard let meant = unmixed(items[index]) else { continue }
                items[index] = meant
                isChanged = true
            }
            if !isChanged { return }
            value = .string(items.joined(separator: "|"))
        case .string(let text)?:
            guard text.utf8.count <= 500, let meant = unmixed(text) else { return }
            value = .string(meant)
        case .array(let items)?:
            let meant = items.prefix(Self.mostItems).map { item in
                item.stringValue.flatMap(unmixed).map { .string($0) } ?? item
            }
            // Texts with different code points may be equal.
            let isSame = zip(meant, items).allSatisfy { left, right in
                guard let one = left.stringValue, let other = right.stringValue else { return left == right }
                return one.hasSameCodeUnits(as: other)
            }
            if isSame { return }
            value = .array(meant + items.dropFirst(Self.mostItems))
        default: return
        }
        suspect(
            .lookAlikeLetters, site, meaning: [condition.comparing(condition.matchType, value)],
            "A word of the value has letters or other characters that only look like others, such as those of another "
                + "script, or characters that are not shown.")
    }

    /// The words of a text such as `pro or team`; `nil` if the text contains no such words.
    ///
    /// The words of `de/at` or `de&at` are found if they are codes, or if another condition compares the attribute with
    /// a single one of the words.
    func spokenAlternatives(in text: String, _ site: SitedCondition) -> [String]? {
        for separator in [" or ", " oder ", " ou "] {
            for spelling in [separator, separator.uppercased()] where text.contains(spelling) {
                let words = text.split(separator: spelling, omittingEmptySubsequences: false).map(String.init)
                return words.allSatisfy(\.isWord) ? words : nil
            }
        }
        guard site.operation == .equals || site.operation == .isIn, site.scope == .visitor,
            let sign = text.first(where: { "/&".contains($0) })
        else { return nil }
        // In such attributes, a text with a separator is one value.
        if isAddress(site.condition) || site.condition.isNamed(like: ["zone", "mime"]) { return nil }
        let words = text.split(separator: sign, omittingEmptySubsequences: false).map { String($0).trimmed }
        guard words.count > 1, words.allSatisfy(\.isWord) else { return nil }
        // These are also codes of countries.
        if words.map({ $0.lowercased() }) == ["am", "pm"] { return nil }
        let areCodes = words.allSatisfy { CountryCodes.contains($0) }
        let others = site.condition.attribute.flatMap { comparedTexts[$0] } ?? []
        let isNear = words.contains { others.contains(ECMAScript.toLowerCase($0)) }
        return areCodes || isNear ? words : nil
    }

    private mutating func checkText(_ text: String, _ site: SitedCondition) {
        if text.utf8.count > 500 { return }
        let condition = site.condition
        let trimmed = text.trimmed
        if !trimmed.isEmpty, trimmed.utf8.count != text.utf8.count {
            suspect(
                .outerBlanks, site, meaning: [condition.comparing(condition.matchType, .string(trimmed))],
                "The value has blanks at its ends, which are compared like other characters.")
        }
        if let single = trimmed.withSingleBlanks {
            suspect(
                .outerBlanks, site, meaning: [condition.comparing(condition.matchType, .string(single))],
                "The value has several blanks in a row, which are compared like other characters.")
        }
        if checkNotation(of: text, site) { return }
        guard let (meant, written, reason) = literal(text, site) else { return }
        suspect(
            .literalPattern, site, meaning: meant, writing: written,
            "\(condition.matchType) compares plain text: \(reason).")
    }

    /// The probable meanings, a single condition with their meaning, and the characters that
    /// are taken literally.
    private typealias Reading = (meant: [RuleCondition], written: RuleCondition, reason: String)

    /// The probable meaning of a value that is compared as plain text, although some of its characters look special;
    /// `nil` if nothing looks special.
    private func literal(_ text: String, _ site: SitedCondition) -> Reading? {
        let condition = site.condition
        func one(_ meant: RuleCondition, _ reason: String) -> Reading { ([meant], meant, reason) }
        func anyOf(_ texts: [String], _ reason: String) -> Reading {
            let meant = texts.map { condition.comparing(condition.matchType, .string($0)) }
            return (meant, condition.comparing(site.operation, anyOf: texts), reason)
        }
        if let texts = text.jsonTexts { return anyOf(texts, "brackets and what they list stand for themselves") }
        if let expression = expression(in: text, site), (try? RegExp(expression, flags: "i")) != nil {
            let meant = condition.comparing("regexMatches", .string(expression))
            return one(meant, "the value looks like a regular expression")
        }
        if text.contains("*"), text.contains(where: \.isLetter), !text.contains(" * ") {
            return one(condition.comparing(site.operation, glob: text), "a '*' stands for itself")
        }
        if let texts = text.braceAlternatives {
            return anyOf(texts, "braces and what they list stand for themselves")
        }
        if text.contains("|"), !text.contains("||") {
            let texts = text.parts(between: "|").map(\.trimmed).filter { !$0.isEmpty }
            return texts.isEmpty ? nil : anyOf(texts, "a '|' separates nothing")
        }
        if let words = text.joinedWords ?? text.joinedAddresses ?? joinedNames(in: text, site) {
            return anyOf(words, "a comma or a semicolon separates nothing")
        }
        if let words = spokenAlternatives(in: text, site) {
            return anyOf(words, "the value is one text and no list of alternatives")
        }
        guard let inner = text.unquoted else { return nil }
        return one(condition.comparing(condition.matchType, .string(inner)), "quotation marks stand for themselves")
    }
}

extension LintContext {
    /// The regular expression in a text: in the notation of a program, or with signs that are rare elsewhere.
    private func expression(in text: String, _ site: SitedCondition) -> String? {
        if let expression = text.assumedExpression { return expression }
        // In an address, a slash and a letter may follow, and a question mark begins a query.
        if site.operation == .equals, text.count > 3, text.hasPrefix("/"), text.hasSuffix("/?") { return "^\(text)$" }
        if isAddress(site.condition) || site.scope != .visitor { return nil }
        guard let (inner, sign) = PatternDialect.undelimited(text, among: "/"),
            sign.contains(where: { "gi".contains($0) })
        else { return nil }
        return String(inner)
    }

    /// The codes in a text such as `pro, team` or `Pro; Team`; `nil` for a text of another form, and for a place with
    /// its state or a person's name.
    private func joinedNames(in text: String, _ site: SitedCondition) -> [String]? {
        guard let sign = text.first(where: { ",;".contains($0) }),
            !site.condition.isNamed(like: ["city", "place", "location", "address", "name", "title", "region", "label"])
        else { return nil }
        let parts = text.split(separator: sign, omittingEmptySubsequences: false).map { String($0).trimmed }
        let isPlace = parts.count == 2 && parts[1].count == 2
        guard parts.count > 1, !isPlace, parts.allSatisfy({ $0.isWord && $0.count <= 12 }) else { return nil }
        return sign == ";" || text == text.lowercased() ? parts : nil
    }
}

extension String {
    /// The texts of a list in JSON, such as `["pro","team"]`; `nil` for another text.
    fileprivate var jsonTexts: [String]? {
        guard hasPrefix("["), hasSuffix("]"), let items = (try? JSValue(json: Data(utf8)))?.arrayValue else {
            return nil
        }
        let texts = items.compactMap(\.stringValue)
        return texts.count == items.count && texts.count > 1 ? texts : nil
    }

    /// The parts of a text that lists paths, such as `/a,/b`, or endings of hosts, such as `.com,.de`.
    fileprivate var joinedAddresses: [String]? {
        let parts = split(omittingEmptySubsequences: false, whereSeparator: { $0 == "," || $0 == ";" })
            .map { String($0).trimmed }
        let areAddresses = ["/", ".", "@"].contains { start in
            parts.allSatisfy { $0.hasPrefix(start) && $0.dropFirst().first?.isLetter ?? false }
        }
        return parts.count > 1 && areAddresses ? parts : nil
    }

    /// The text without white space and invisible characters at its ends.
    var trimmed: String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            ECMAScript.isWhiteSpace(scalar) || ["\u{AD}", "\u{200B}", "\u{2060}"].contains(scalar)
                || LookAlikeLetters.isDirection(scalar)
        }
        let scalars = unicodeScalars
        guard let first = scalars.first, let last = scalars.last, isBlank(first) || isBlank(last) else { return self }
        guard let start = scalars.firstIndex(where: { !isBlank($0) }),
            let end = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[start...end])
    }

    /// The text with single blanks instead of repeated ones; `nil` if it has no repeated blanks.
    fileprivate var withSingleBlanks: String? {
        guard contains("  ") else { return nil }
        return split(separator: " ").joined(separator: " ")
    }

    /// Whether the text is a word, such as a code or a name.
    var isWord: Bool {
        first?.isLetter ?? false && count <= 20
            && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }

    /// The text without the quotation marks around it; `nil` if it has no quotation marks.
    var unquoted: String? {
        let pairs: [(Character, Character)] = [
            ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("„", "“"), ("”", "”"), ("‘", "’"), ("‚", "‘"),
            ("’", "’"), ("«", "»"), ("»", "«"), ("‹", "›"), ("›", "‹"),
        ]
        guard count > 2, let first, let last, pairs.contains(where: { $0 == (first, last) }) else { return nil }
        return String(dropFirst().dropLast())
    }

    /// The texts that a text with alternatives in braces stands for, such as `/{de,at}/`; `nil` if it has no such
    /// braces.
    fileprivate var braceAlternatives: [String]? {
        guard let start = firstIndex(of: "{"), let end = self[start...].firstIndex(of: "}") else { return nil }
        let words = self[index(after: start)..<end].split(separator: ",", omittingEmptySubsequences: false)
        guard words.count > 1, words.allSatisfy({ String($0).isWord }) else { return nil }
        return words.map { String(self[..<start]) + $0 + self[index(after: end)...] }
    }

    /// The words of a text that lists only words, such as `pro,team` and `DE; AT`; `nil` for other texts.
    var joinedWords: [String]? {
        let parts = split(omittingEmptySubsequences: false, whereSeparator: { $0 == "," || $0 == ";" })
        let words = parts.map { String($0).trimmed }
        let isTight = !contains(" ") || words.allSatisfy { $0.count <= 3 }
        return words.count > 1 && isTight && words.allSatisfy(\.isWord) ? words : nil
    }

    /// The regular expression in a text with characters that are common in regular expressions and rare elsewhere;
    /// otherwise `nil`.
    var assumedExpression: String? {
        // Most texts contain none of these characters.
        guard utf8.contains(where: { $0 < 0x80 && Self.expressionSigns.contains($0) }) else { return nil }
        if let (inner, _) = PatternDialect.undelimited(self, among: "#~") { return String(inner) }
        if hasPrefix("(?i)") { return PatternDialect(self).translation }
        let signs = [".*", ".+", "\\.", "\\/", "[a-z", "[0-9", "(?:"]
        // US$ is a currency.
        let isCurrency = count <= 4 && dropLast().allSatisfy(\.isUppercase)
        let isAnchored =
            hasPrefix("^") && count > 1 || hasSuffix("$") && count > 1 && !dropLast().contains("$") && !isCurrency
        let hasGroup = contains("(") && contains("|") && contains(")")
        return isAnchored || hasGroup || hasClass || signs.contains(where: contains) ? self : nil
    }

    private static let expressionSigns = Set("\\.*+([^$#~".utf8)

    /// Whether the text contains `\d`, `\w` or `\s`, except at the start of a name in a path.
    private var hasClass: Bool {
        let parts = split(separator: "\\", omittingEmptySubsequences: false).dropFirst()
        return parts.contains { part in
            part.first.map { "dws".contains($0) } ?? false && !(part.dropFirst().first?.isLetter ?? false)
        }
    }
}
