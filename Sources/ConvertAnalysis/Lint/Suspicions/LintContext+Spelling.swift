internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Values that are compared otherwise than they are spelled.
extension LintContext {
    mutating func checkSpelling(of condition: RuleCondition, _ scope: Formula.Scope, at path: String) {
        switch Operation(wireName: condition.matchType, under: semantics) {
        case .isIn?: checkList(of: condition, scope, at: path + ".value")
        case .regexMatches?:
            if case .string(let pattern)? = condition.value {
                checkDialect(of: pattern, condition, scope, at: path + ".value")
            }
        case .equals?, .contains?, .startsWith?, .endsWith?:
            if case .string(let text)? = condition.value {
                checkText(text, condition, scope, at: path + ".value")
            }
        default: break
        }
    }

    /// The items of a list, each of which a visitor may have as it is spelled.
    private mutating func checkList(of condition: RuleCondition, _ scope: Formula.Scope, at path: String) {
        let items: [String]
        switch condition.value {
        case .string(let list)?: items = list.parts(between: "|")
        case .array(let values)?: items = values.compactMap(\.stringValue)
        default: return
        }
        if items.isEmpty || items.count > 200 { return }
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
            let parts = item.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == "\n" || $0 == "\t" })
                .map { String($0).trimmed }.filter { !$0.isEmpty }
            let isJoined = parts.count > 1 && parts.allSatisfy { $0.utf8.count <= 30 }
            let missed = (isJoined ? parts : [item.trimmed]).filter { !domain.holds(for: .string($0)) }
            guard let first = missed.first else { continue }
            let matched = [item, ECMAScript.toLowerCase(item)].first { domain.holds(for: .string($0)) }
            let reason: String
            let remedy: String
            if isJoined {
                reason = "The list's items are separated by '|', so that '\(item.excerpt())' is one item."
                remedy = "Separate the items with '|', in lower case."
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

    private func visitor(with text: String, _ condition: RuleCondition, _ scope: Formula.Scope) -> PopulationVisitor {
        var model = VisitorSearch.Model()
        guard let key = condition.attribute else { return witness(of: model) }
        switch scope {
        case .visitor: model.attributes[key] = .string(text)
        case .location: model.locationProperties[key] = .string(text)
        }
        return witness(of: model)
    }

    private mutating func checkDialect(
        of pattern: String, _ condition: RuleCondition, _ scope: Formula.Scope, at path: String
    ) {
        let dialect = PatternDialect(pattern)
        if !dialect.foreign.isEmpty {
            let names = dialect.foreign.map { "'\($0.excerpt())'" }.joined(separator: ", ")
            suspect(
                .foreignPattern, condition, scope,
                meaning: [condition.comparing("regexMatches", .string(dialect.translation))], at: path,
                "The pattern has \(names), which JavaScript's expressions read otherwise than other engines do.",
                remedy: "Write \(dialect.translation.excerpt()), if that is meant.")
        }
        let shape = PatternShape(pattern)
        if let anchored = shape.withCommonAnchors {
            suspect(
                .loosePattern, condition, scope, meaning: [condition.comparing("regexMatches", .string(anchored))],
                at: path, "An anchor belongs to the alternative that it stands in, not to the others.",
                remedy: "Write \(anchored.excerpt()), if all alternatives are meant.")
        }
        if let escaped = shape.withEscapedQuery {
            suspect(
                .loosePattern, condition, scope, meaning: [condition.comparing("regexMatches", .string(escaped))],
                at: path, "A '?' makes what stands before it optional; an address with a query is not matched.",
                remedy: "Write \(escaped.excerpt()), if the query of an address is meant.")
        }
        if let modifiers = shape.modifiers {
            add(
                LintFinding(
                    .newSyntaxPattern, at: path,
                    "The pattern has \(modifiers), which engines before ES2025 cannot read: there it never matches, so that "
                        + "older browsers decide otherwise than this SDK.",
                    remedy: "Write the alternatives out; patterns ignore case anyway."))
        }
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
        let isEquals = Operation(wireName: condition.matchType, under: semantics) == .equals
        let operation = condition.matchType
        if let expression = text.assumedExpression, (try? RegExp(expression, flags: "i")) != nil {
            suspect(
                .literalPattern, condition, scope, meaning: [condition.comparing("regexMatches", .string(expression))],
                at: path, "\(operation) compares plain text, and the value looks like a regular expression.",
                remedy: "Use regexMatches.")
        } else if text.contains("*") {
            let parts = text.split(separator: "*", omittingEmptySubsequences: false).map { $0.escapedForExpression }
            let inner = parts.joined(separator: ".*")
            let (start, end) = (isEquals || operation == "startsWith", isEquals || operation == "endsWith")
            suspect(
                .literalPattern, condition, scope,
                meaning: [
                    condition.comparing("regexMatches", .string((start ? "^" : "") + inner + (end ? "$" : "")))
                ], at: path, "\(operation) compares plain text: a '*' stands for itself.",
                remedy: "Use startsWith, endsWith, contains or regexMatches.")
        } else if text.contains("|"), !text.contains("||") {
            suspect(
                .literalPattern, condition, scope,
                meaning: text.parts(between: "|").map { condition.comparing(operation, .string($0.trimmed)) }, at: path,
                "\(operation) compares plain text: a '|' separates nothing.",
                remedy: "Use isIn, or one condition for each value.")
        }
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        let scalars = unicodeScalars
        let rest = scalars.drop(while: ECMAScript.isWhiteSpace)
        return String(String.UnicodeScalarView(rest.reversed().drop(while: ECMAScript.isWhiteSpace).reversed()))
    }

    /// The text, if it has what regular expressions have and other texts seldom do.
    fileprivate var assumedExpression: String? {
        let signs = [".*", ".+", "\\d", "\\w", "\\.", "\\s", "\\/", "[a-z", "[0-9", "(?:"]
        let isAnchored = hasPrefix("^") || (hasSuffix("$") && count > 1 && !dropLast().contains("$"))
        let hasGroup = contains("(") && contains("|") && contains(")")
        return isAnchored || hasGroup || signs.contains(where: contains) ? self : nil
    }
}

extension Substring {
    fileprivate var escapedForExpression: String {
        map { "\\^$.|?+()[]{}/".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
