internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Values that are compared otherwise than they are spelled.
extension LintContext {
    /// How many items of a list are looked at.
    static let mostItems = 200

    mutating func checkSpelling(of condition: RuleCondition, _ scope: Formula.Scope, at path: String) {
        checkLetters(of: condition, scope, at: path + ".value")
        switch Operation(wireName: condition.matchType, under: semantics) {
        case .isIn?: checkList(of: condition, scope, at: path + ".value")
        case .regexMatches?:
            if case .string(let pattern)? = condition.value {
                checkDialect(of: pattern, condition, scope, at: path + ".value")
            }
        case .equals?, .contains?, .startsWith?, .endsWith?:
            switch condition.value {
            case .string(let text)?: checkText(text, condition, scope, at: path + ".value")
            case .array(let items)?: checkArray(items, condition, scope, at: path + ".value")
            default: break
            }
        default: break
        }
    }

    /// Words that mix scripts.
    private mutating func checkLetters(of condition: RuleCondition, _ scope: Formula.Scope, at path: String) {
        let isPattern = condition.matchType == "regexMatches"
        let isList = Operation(wireName: condition.matchType, under: semantics) == .isIn
        func unmixed(_ text: String) -> String? { LookAlikeLetters.plain(text, isPattern: isPattern) }
        let value: JSValue
        switch condition.value {
        case .string(let text)? where isList:
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
            // A text may equal another one that is written with other code points.
            let isSame = zip(meant, items).allSatisfy { left, right in
                guard let one = left.stringValue, let other = right.stringValue else { return left == right }
                return one.hasSameCodeUnits(as: other)
            }
            if isSame { return }
            value = .array(meant + items.dropFirst(Self.mostItems))
        default: return
        }
        suspect(
            .lookAlikeLetters, condition, scope, meaning: [condition.comparing(condition.matchType, value)], at: path,
            "A word of the value has letters or signs that only look like others, such as those of another script, or "
                + "characters that are not shown.",
            remedy: "Write \(ECMAScript.jsonText(of: value).excerpt()).")
    }

    /// The items of a list, each of which a visitor may have as it is spelled.
    private mutating func checkList(of condition: RuleCondition, _ scope: Formula.Scope, at path: String) {
        let items: [String]
        switch condition.value {
        case .string(let list)?: items = Array(list.parts(between: "|").prefix(Self.mostItems))
        case .array(let values)?: items = values.prefix(Self.mostItems).compactMap(\.stringValue)
        default: return
        }
        if items.isEmpty { return }
        for item in items where checkNotation(of: item, condition, scope, at: path) { return }
        if case .string? = condition.value {
            let list = items.joined(separator: "|")
            if checkExpression(in: list, condition, scope, at: path) { return }
        }
        let domain = pool[pool.intern(condition.positive)]
        if items.contains(""), items.count > 1 {
            if !domain.holds(for: "") { return }
            return add(
                LintFinding(
                    .listMissesItem, at: path, "The list has an empty item: \"\" matches, as every item does.",
                    remedy: "Remove the separator that has nothing beside it.",
                    witness: visitor(with: "", condition, scope)))
        }
        for item in items {
            let spoken = spokenAlternatives(in: item, condition, isEquals: true, scope)
            let parts =
                spoken
                ?? item.trimmed.withoutBrackets.split(whereSeparator: { ",;\n\t，、；".contains($0) })
                .map { String($0).trimmed }.filter { !$0.isEmpty }.withoutQuotes
            let isJoined =
                (parts.count > 1 || parts.count == 1 && parts[0] != item.trimmed)
                && parts.allSatisfy { $0.utf8.count <= 30 }
            let isQuoted = !isJoined && item.trimmed.unquoted != nil
            let missed = (isJoined ? parts : [item.trimmed.unquoted ?? item.trimmed])
                .filter { !domain.holds(for: .string($0)) }
            guard let first = missed.first else { continue }
            let matched = [item, ECMAScript.toLowerCase(item)].first { domain.holds(for: .string($0)) }
            let reason: String
            let remedy: String
            if isJoined {
                reason = "The list's items are separated by '|', so that '\(item.excerpt())' is one item."
                remedy = "Separate the items with '|', in lower case."
            } else if isQuoted {
                reason = "The quotation marks of the item \(item.excerpt()) belong to it."
                remedy = "Remove the quotation marks."
            } else if item.trimmed.utf8.count != item.utf8.count {
                reason = "The blanks around the item '\(item.excerpt())' belong to it."
                remedy = "Remove the blanks."
            } else {
                reason = "The list is compared in lower case, and the visitor's text as it is."
                remedy =
                    "Compare with equals, which ignores case, one condition for each item; or let the app give the "
                    + "attribute in lower case."
            }
            var message = reason + " \"\(first.excerpt())\" does not match"
            message += matched.map { ", \"\($0.excerpt())\" matches." } ?? "."
            return add(
                LintFinding(
                    .listMissesItem, at: path, message, remedy: remedy,
                    witness: visitor(with: first, condition, scope),
                    contrast: matched.map { visitor(with: $0, condition, scope) }))
        }
    }

    /// Whether a list is a regular expression, or has one for an item.
    private mutating func checkExpression(
        in list: String, _ condition: RuleCondition, _ scope: Formula.Scope, at path: String
    ) -> Bool {
        let items = list.parts(between: "|")
        let isWhole = list.assumedExpression != nil && items.contains { $0.hasPrefix("(") || $0.hasPrefix("^") }
        let patterns =
            isWhole
            ? [list]
            : items.compactMap { item in
                if let expression = item.assumedExpression { return expression }
                let isGlob = item.hasSuffix("*") && item.dropLast().contains(where: \.isLetter)
                return isGlob ? "^" + item.dropLast().escapedForExpression : nil
            }
        guard !patterns.isEmpty, patterns.allSatisfy({ (try? RegExp($0, flags: "i")) != nil }) else { return false }
        suspect(
            .literalPattern, condition, scope,
            meaning: patterns.map { condition.comparing("regexMatches", .string($0)) }, at: path,
            "isIn compares plain text, and the list has what looks like a regular expression.",
            remedy: "Use regexMatches.")
        return true
    }

    private func visitor(with text: String, _ condition: RuleCondition, _ scope: Formula.Scope) -> PopulationVisitor {
        var model = VisitorSearch.Model()
        guard let key = condition.attribute else { return witness(of: model) }
        switch scope {
        case .visitor: model.attributes[key] = .string(text)
        case .location: model.locationProperties[key] = .string(text)
        }
        return witness(of: model)
    }

    /// The words of a text such as `pro or team`, and of `de/at` or `de&at`, if they are short as codes are, or another
    /// condition compares the attribute with one of them alone.
    private func spokenAlternatives(
        in text: String, _ condition: RuleCondition, isEquals: Bool, _ scope: Formula.Scope
    ) -> [String]? {
        for separator in [" or ", " oder ", " ou "] where text.contains(separator) {
            let words = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
            return words.allSatisfy(\.isWord) ? words : nil
        }
        guard isEquals, scope == .visitor, let sign = text.first(where: { "/&".contains($0) }) else { return nil }
        // Texts such as these are one value.
        let attribute = ECMAScript.toLowerCase(condition.key ?? "")
        if ["path", "url", "uri", "page", "route", "zone", "mime"].contains(where: attribute.contains) { return nil }
        let words = text.split(separator: sign, omittingEmptySubsequences: false).map { String($0).trimmed }
        guard words.count > 1, words.allSatisfy(\.isWord) else { return nil }
        let areCodes = words.allSatisfy { (2...3).contains($0.count) && $0.allSatisfy(\.isLetter) }
        let others = condition.attribute.flatMap { comparedTexts[$0] } ?? []
        let isNear = words.contains { others.contains(ECMAScript.toLowerCase($0)) }
        return areCodes && words != ["and", "or"] || isNear ? words : nil
    }

    private mutating func checkText(
        _ text: String, _ condition: RuleCondition, _ scope: Formula.Scope, at path: String
    ) {
        if text.utf8.count > 500 { return }
        let trimmed = text.trimmed
        if !trimmed.isEmpty, trimmed.utf8.count != text.utf8.count {
            suspect(
                .outerBlanks, condition, scope, meaning: [condition.comparing(condition.matchType, .string(trimmed))],
                at: path, "The value has blanks at its ends, which are compared like other characters.",
                remedy: "Remove the blanks.")
        }
        if let single = trimmed.withSingleBlanks {
            suspect(
                .outerBlanks, condition, scope, meaning: [condition.comparing(condition.matchType, .string(single))],
                at: path, "The value has several blanks in a row, which are compared like other characters.",
                remedy: "Write '\(single.excerpt())'.")
        }
        let isEquals = Operation(wireName: condition.matchType, under: semantics) == .equals
        let operation = condition.matchType
        if checkNotation(of: text, condition, scope, at: path) { return }
        if let expression = text.assumedExpression, (try? RegExp(expression, flags: "i")) != nil {
            suspect(
                .literalPattern, condition, scope, meaning: [condition.comparing("regexMatches", .string(expression))],
                at: path, "\(operation) compares plain text, and the value looks like a regular expression.",
                remedy: "Use regexMatches.")
        } else if text.contains("*"), text.contains(where: \.isLetter), !text.contains(" * ") {
            let parts = text.split(separator: "*", omittingEmptySubsequences: false).map { $0.escapedForExpression }
            let inner = parts.joined(separator: ".*")
            let (start, end) = (isEquals || operation == "startsWith", isEquals || operation == "endsWith")
            suspect(
                .literalPattern, condition, scope,
                meaning: [
                    condition.comparing("regexMatches", .string((start ? "^" : "") + inner + (end ? "$" : "")))
                ], at: path, "\(operation) compares plain text: a '*' stands for itself.",
                remedy: "Use startsWith, endsWith, contains or regexMatches.")
        } else if let texts = text.braceAlternatives {
            suspect(
                .literalPattern, condition, scope, meaning: texts.map { condition.comparing(operation, .string($0)) },
                at: path, "\(operation) compares plain text: braces and what they list stand for themselves.",
                remedy: "Use one condition for each value, or regexMatches.")
        } else if text.contains("|"), !text.contains("||") {
            suspect(
                .literalPattern, condition, scope,
                meaning: text.parts(between: "|").map { condition.comparing(operation, .string($0.trimmed)) }, at: path,
                "\(operation) compares plain text: a '|' separates nothing.",
                remedy: "Use isIn, or one condition for each value.")
        } else if let words = text.joinedWords {
            suspect(
                .literalPattern, condition, scope, meaning: words.map { condition.comparing(operation, .string($0)) },
                at: path,
                "\(operation) compares plain text: a comma or a semicolon separates nothing.",
                remedy: "Use isIn with '|' between the values, or one condition for each value.")
        } else if let words = spokenAlternatives(in: text, condition, isEquals: isEquals, scope) {
            suspect(
                .literalPattern, condition, scope, meaning: words.map { condition.comparing(operation, .string($0)) },
                at: path, "\(operation) compares plain text: the value is one text and no list of alternatives.",
                remedy: "Use isIn with '|' between the values, or one condition for each value.")
        } else if let inner = text.unquoted {
            suspect(
                .literalPattern, condition, scope, meaning: [condition.comparing(operation, .string(inner))], at: path,
                "\(operation) compares plain text: quotation marks stand for themselves.",
                remedy: "Remove the quotation marks.")
        }
    }
}

extension String {
    /// The text without white space, and what is not shown at all, at its ends.
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

    /// The text with one blank where it has several; `nil` if it has none such.
    fileprivate var withSingleBlanks: String? {
        guard contains("  ") else { return nil }
        return split(separator: " ").joined(separator: " ")
    }

    /// Whether it is a word, such as a code or a name.
    fileprivate var isWord: Bool {
        first?.isLetter ?? false && count <= 20
            && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }

    /// The text without quotation marks around it; `nil` if there are none.
    fileprivate var unquoted: String? {
        let pairs: [(Character, Character)] = [("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“"), ("‘", "’")]
        guard count > 2, let first, let last, pairs.contains(where: { $0 == (first, last) }) else { return nil }
        return String(dropFirst().dropLast())
    }

    /// The text without brackets around it, as programs write a list.
    fileprivate var withoutBrackets: Substring {
        let isBracketed = ["[]", "()", "{}"].contains { first == $0.first && last == $0.last && count > 2 }
        return isBracketed ? dropFirst().dropLast() : self[...]
    }

    /// The texts that one with alternatives in braces stands for, such as `/{de,at}/`; `nil` without such braces.
    fileprivate var braceAlternatives: [String]? {
        guard let start = firstIndex(of: "{"), let end = self[start...].firstIndex(of: "}") else { return nil }
        let words = self[index(after: start)..<end].split(separator: ",", omittingEmptySubsequences: false)
        guard words.count > 1, words.allSatisfy({ String($0).isWord }) else { return nil }
        return words.map { String(self[..<start]) + $0 + self[index(after: end)...] }
    }

    /// The words of a text that is a list of nothing but words, such as `pro,team` and `DE; AT`.
    var joinedWords: [String]? {
        let parts = split(omittingEmptySubsequences: false, whereSeparator: { $0 == "," || $0 == ";" })
        let words = parts.map { String($0).trimmed }
        let isTight = !contains(" ") || words.allSatisfy { $0.count <= 3 }
        return words.count > 1 && isTight && words.allSatisfy(\.isWord) ? words : nil
    }

    /// The text, if it has what regular expressions have and other texts seldom do.
    fileprivate var assumedExpression: String? {
        // Most texts have none of the signs.
        guard utf8.contains(where: { $0 < 0x80 && Self.expressionSigns.contains($0) }) else { return nil }
        if let (inner, _) = PatternDialect.undelimited(self, among: "#~") { return String(inner) }
        let signs = [".*", ".+", "\\.", "\\/", "[a-z", "[0-9", "(?:"]
        // US$ is a currency.
        let isCurrency = count <= 4 && dropLast().allSatisfy(\.isUppercase)
        let isAnchored =
            hasPrefix("^") && count > 1 || hasSuffix("$") && count > 1 && !dropLast().contains("$") && !isCurrency
        let hasGroup = contains("(") && contains("|") && contains(")")
        return isAnchored || hasGroup || hasClass || signs.contains(where: contains) ? self : nil
    }

    private static let expressionSigns = Set("\\.*+([^$#~".utf8)

    /// Whether it has `\d`, `\w` or `\s`, other than as the start of a name in a path.
    private var hasClass: Bool {
        let parts = split(separator: "\\", omittingEmptySubsequences: false).dropFirst()
        return parts.contains { part in
            part.first.map { "dws".contains($0) } ?? false && !(part.dropFirst().first?.isLetter ?? false)
        }
    }
}

extension [String] {
    /// The items of several without quotation marks around them.
    fileprivate var withoutQuotes: [String] { count > 1 ? map { $0.unquoted ?? $0 } : self }
}

extension Substring {
    var escapedForExpression: String {
        map { "\\^$.|?+()[]{}/".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
