internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for values that apps seldom pass as they are written.
extension LintContext {
    /// Checks for a list with an operator that compares with one text.
    mutating func checkArray(_ items: [JSValue], _ site: SitedCondition) {
        if items.count < 2 { return }
        let condition = site.condition
        let items = items.prefix(Self.mostItems)
        suspect(
            .literalPattern, site, meaning: items.map { condition.comparing(condition.matchType, $0) },
            writing: condition.comparing(site.operation, anyOf: items.map { ECMAScript.toString($0) }),
            "\(condition.matchType) compares with one text: the whole list is converted to it.")
    }

    /// Checks whether a value, an item of a list or a pattern is written as in a program, a database or a page, such as
    /// `>=18`, `%shop%` or `AT&amp;T`. Returns whether it added a finding.
    mutating func checkNotation(of text: String, _ site: SitedCondition) -> Bool {
        if text.utf8.count > 500 { return false }
        if checkPlaceholders(in: text, site) || checkMissingValue(text, site) || checkNumberRange(text, site) {
            return true
        }
        guard let notation = notation(of: text, site) else {
            return site.operation != .regexMatches && checkSpokenNotation(of: text, site)
        }
        suspect(
            .literalPattern, site, meaning: [notation.meant],
            site.operation == .regexMatches
                ? "In the pattern \(notation.reason)."
                : "\(site.condition.matchType) compares plain text: \(notation.reason).",
            if: notation.proviso)
        return true
    }

    /// Checks for placeholders, and for the sign of a character that was not read. Returns whether it added a finding.
    private mutating func checkPlaceholders(in text: String, _ site: SitedCondition) -> Bool {
        let condition = site.condition
        let isPattern = site.operation == .regexMatches
        if isPattern ? Placeholders.areInPattern(text) : Placeholders.areIn(text, of: condition.key) {
            add(
                .literalPattern, at: site.valuePath,
                (isPattern ? "The pattern has" : "\(condition.matchType) compares plain text, and the value has")
                    + " a placeholder that nothing fills in: '\(text.excerpt())'.",
                remedy: "Write the value that is meant.")
            return true
        }
        guard text.contains("\u{FFFD}") else { return false }
        add(
            .literalPattern, at: site.valuePath,
            "The value has the character U+FFFD in place of a character that was not read: '\(text.excerpt())'.",
            remedy: "Write the character that is meant.")
        return true
    }

    /// Checks for a text that stands for a missing value. Returns whether it added a finding.
    private mutating func checkMissingValue(_ text: String, _ site: SitedCondition) -> Bool {
        let isOptional = text.hasPrefix("Optional(")
        guard site.operation != .regexMatches, isOptional || Self.missingValues.contains(text) else { return false }
        add(
            .literalPattern, at: site.valuePath,
            "'\(text.excerpt())' is what "
                + (isOptional ? "Swift writes for an optional value" : "programs write in place of a missing value")
                + ": it is compared as a text like any other.",
            remedy: "Ask with exists whether there is a value, or write the value that is meant.")
        return true
    }

    /// Checks for two numbers with a dash between them. Returns whether it added a finding.
    private mutating func checkNumberRange(_ text: String, _ site: SitedCondition) -> Bool {
        guard site.operation == .equals, text.isNumberRange, site.condition.isNumberByName else { return false }
        add(
            .literalPattern, at: site.valuePath,
            "equals compares with one text, and no number has the text '\(text.excerpt())'.",
            remedy: "Ask with less and lessEqual for both ends, in two clauses of AND.")
        return true
    }

    /// The meaning of a notation, with the reason why it has another one here.
    private struct Notation {
        let meant: RuleCondition
        let reason: String
        /// The condition under which the meaning differs, as the rest of a sentence.
        var proviso = ""
    }

    /// The notation of a text; `nil` if the text means what it says.
    private func notation(of text: String, _ site: SitedCondition) -> Notation? {
        let (condition, operation) = (site.condition, site.operation)
        let isPattern = operation == .regexMatches
        if !isPattern, let compared = comparison(in: text, site) {
            return Notation(meant: compared, reason: "a comparison operator stands for itself")
        }
        if !isPattern, let (wildcard, inner) = text.wildcard, operation != .isIn {
            let other = operation == .equals || wildcard == "contains" ? wildcard : condition.matchType
            return Notation(meant: condition.comparing(other, .string(inner)), reason: "a '%' stands for itself")
        }
        if HTMLEntities.decoded(text) != nil {
            return Notation(
                meant: site.replacing(HTMLEntities.decoded), reason: "the notation of HTML stands for itself")
        }
        if Mojibake.decoded(text) != nil {
            return Notation(
                meant: site.replacing(Mojibake.decoded),
                reason: "letters that were read in another encoding stand for themselves")
        }
        if !isPattern, text.withoutPercentEncoding != nil, isEncoded(text, condition) {
            return Notation(
                meant: site.replacing(\.withoutPercentEncoding),
                reason: "the notation of an encoded address stands for itself",
                proviso: ", if the app passes the attribute decoded")
        }
        if operation == .equals || operation == .isIn, let plain = text.plainNumber, !isVersion(condition) {
            return Notation(
                meant: site.replacing(\.plainNumber), reason: "a number is written as \(plain)",
                proviso: ", if the app gives a number")
        }
        return nil
    }

    /// Whether the attribute has the name of an address.
    func isAddress(_ condition: RuleCondition) -> Bool {
        condition.isNamed(like: ["path", "url", "uri", "page", "route", "referrer", "query", "href", "link"])
    }

    /// Whether the attribute has the name of a version, which is a text.
    private func isVersion(_ condition: RuleCondition) -> Bool {
        condition.isNamed(like: ["version", "release", "build", "sdk", "firmware"])
    }

    /// The texts that programs write for missing values, and for values that are not text.
    private static let missingValues: Set<String> = [
        "undefined", "null", "NULL", "(null)", "<null>", "nil", "<nil>", "None", "NaN", "[object Object]",
        "[object Promise]",
    ]

    /// Whether apps seldom pass this encoded text: an address within another one, or a text that is not an address.
    private func isEncoded(_ text: String, _ condition: RuleCondition) -> Bool {
        let upper = text.uppercased()
        return !isAddress(condition) || upper.contains("%2F") || upper.contains("%3A")
    }

    /// The condition that a text such as `>=18` or `!=de` stands for; `nil` for other texts.
    private func comparison(in text: String, _ site: SitedCondition) -> RuleCondition? {
        let condition = site.condition
        switch site.operation {
        case .equals: break
        // The list contains only the comparison.
        case .isIn where condition.value?.stringValue == text: break
        default: return nil
        }
        let sign = String(text.prefix { "<>=!≤≥≠".contains($0) })
        let rest = String(text.dropFirst(sign.count)).trimmed
        func negated(_ operation: String, _ value: JSValue) -> RuleCondition {
            condition.comparing(operation, value, negated: true)
        }
        let number = JSValue(ECMAScript.toNumber(.string(rest)))
        let isNumber = NumericShape.isNumeric(.string(rest))
        switch sign {
        case "<" where isNumber: return condition.comparing("less", number)
        case "<=" where isNumber, "=<" where isNumber, "≤" where isNumber:
            return condition.comparing("lessEqual", number)
        case ">" where isNumber: return negated("lessEqual", number)
        case ">=" where isNumber, "=>" where isNumber, "≥" where isNumber: return negated("less", number)
        case "!=" where !rest.isEmpty, "!==" where !rest.isEmpty, "<>" where !rest.isEmpty, "≠" where !rest.isEmpty:
            return negated("equals", .string(rest))
        case "=" where !rest.isEmpty, "==" where !rest.isEmpty, "===" where !rest.isEmpty:
            return condition.comparing("equals", .string(rest))
        default: return nil
        }
    }

    /// Checks for an attribute's name with blanks around it.
    mutating func checkBlanks(ofName name: String, _ site: SitedCondition) {
        let trimmed = name.trimmed
        if trimmed.isEmpty || trimmed.utf8.count == name.utf8.count { return }
        suspect(
            .outerBlanks, site, meaning: [site.condition.renamed(trimmed)], at: site.keyPath,
            "The attribute '\(name.excerpt())' has blanks at its ends, which belong to its name.",
            remedy: "Remove the blanks.")
    }
}

extension String {
    /// Whether the text is two numbers with a hyphen or dots between them, such as `18-25`.
    var isNumberRange: Bool {
        let parts = replacing("..", with: "-").split(omittingEmptySubsequences: false) { "-\u{2013}".contains($0) }
        return parts.count == 2
            && parts.allSatisfy { part in
                let digits = String(part).trimmed
                return !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) }
            }
    }

    /// The text next to percent signs, which are wildcards in SQL, and the operator with their meaning; `nil` without
    /// wildcards.
    fileprivate var wildcard: (operation: String, inner: String)? {
        let (isOpenAtStart, isOpenAtEnd) = (hasPrefix("%"), hasSuffix("%"))
        guard isOpenAtStart || isOpenAtEnd else { return nil }
        let inner = String(dropFirst(isOpenAtStart ? 1 : 0).dropLast(isOpenAtEnd ? 1 : 0))
        guard inner.contains(where: \.isLetter), !inner.contains("%") else { return nil }
        if isOpenAtStart, isOpenAtEnd { return ("contains", inner) }
        // 5 % and 100% are shares, and %20x begins with an encoded character.
        if isOpenAtEnd {
            return inner.last.map { $0.isLetter || "/-_".contains($0) } ?? false ? ("startsWith", inner) : nil
        }
        return inner.first.map { $0.isLetter || "/-_.@".contains($0) } ?? false && inner.withEncodedStart == nil
            ? ("endsWith", inner) : nil
    }

    /// The first two characters if they are hexadecimal digits, which encode a character after a percent sign;
    /// otherwise `nil`.
    private var withEncodedStart: Substring? {
        let digits = prefix(2)
        return digits.count == 2 && digits.allSatisfy(\.isHexDigit) && digits.contains(where: \.isNumber) ? digits : nil
    }

    /// The number as JavaScript writes it, if the text is a number with a point in another spelling; otherwise `nil`.
    /// Whole numbers are left out, because they are often codes.
    fileprivate var plainNumber: String? {
        let digits = drop { $0 == "-" || $0 == "+" }
        let isCode = digits.first == "0" && digits.dropFirst().first != "."
        guard digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }), contains("."), !isCode else { return nil }
        let number = ECMAScript.stringToNumber(self)
        let plain = ECMAScript.toString(number)
        return number.isFinite && plain != self ? plain : nil
    }

    /// The text with decoded percent escapes such as `%C3%A9`; `nil` if it has none, or if they are not UTF-8.
    fileprivate var withoutPercentEncoding: String? {
        let bytes = Array(utf8)
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count,
                    let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
                else { return nil }
                plain.append(byte)
                index += 3
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        guard plain.count < bytes.count, !plain.contains(where: { $0 < 0x20 }) else { return nil }
        return String(validating: plain, as: UTF8.self)
    }
}

extension RuleCondition {
    /// Whether the last word of the attribute's name stands for a number.
    fileprivate var isNumberByName: Bool {
        let word = NameForm.words(of: key ?? "").last ?? ""
        return ["age", "visits", "orders", "count", "price", "total", "amount", "score", "days", "hour"].contains(word)
    }

    /// Whether the attribute's name contains one of the words.
    func isNamed(like words: [String]) -> Bool {
        let name = ECMAScript.toLowerCase(key ?? "")
        return words.contains { name.contains($0) }
    }
}

extension SitedCondition {
    /// The condition with what `other` returns in place of a text: of the value, or of an item of a list.
    fileprivate func replacing(_ other: (String) -> String?) -> RuleCondition {
        func replaced(_ text: String) -> String { other(text) ?? text }
        func comparing(_ value: JSValue) -> RuleCondition { condition.comparing(condition.matchType, value) }
        switch condition.value {
        case .string(let list)? where operation == .isIn:
            return comparing(.string(list.parts(between: "|").map(replaced).joined(separator: "|")))
        case .string(let text)?: return comparing(.string(replaced(text)))
        case .array(let items)?:
            return comparing(.array(items.map { $0.stringValue.map { .string(replaced($0)) } ?? $0 }))
        default: return condition
        }
    }
}
