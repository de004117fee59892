internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Values that an app seldom gives as they are written.
extension LintContext {
    /// A list where an operator compares with one text.
    mutating func checkArray(
        _ items: [JSValue], _ condition: RuleCondition, _ scope: Formula.Scope, at path: String
    ) {
        if items.count < 2 || items.count > 200 { return }
        suspect(
            .literalPattern, condition, scope, meaning: items.map { condition.comparing(condition.matchType, $0) },
            at: path, "\(condition.matchType) compares with one text, which is made of the whole list.",
            remedy: "Use isIn, or one condition for each value.")
    }

    /// Whether the value is written as a program, a database or a page would have it, such as `>=18`, `%shop%` or
    /// `AT&amp;T`.
    mutating func checkNotation(
        of text: String, _ condition: RuleCondition, _ scope: Formula.Scope, at path: String
    ) -> Bool {
        let operation = condition.matchType
        let meant: RuleCondition
        let reason: String
        let remedy: String
        if text.isPlaceholder {
            add(
                LintFinding(
                    .literalPattern, at: path,
                    "\(operation) compares plain text, and the value is a placeholder that nothing fills in.",
                    remedy: "Write the value that is meant."))
            return true
        } else if let compared = comparison(in: text, condition) {
            (meant, reason) = (compared, "a sign of comparison stands for itself")
            remedy = "Use the operator that compares so, less or lessEqual, or negated."
        } else if let inner = text.betweenPercentSigns {
            (meant, reason) = (condition.comparing("contains", .string(inner)), "a '%' stands for itself")
            remedy = "Use contains."
        } else if let plain = text.withoutEntities {
            meant = condition.comparing(operation, .string(plain))
            reason = "the notation of HTML stands for itself"
            remedy = "Write '\(plain.excerpt())'."
        } else {
            return false
        }
        suspect(
            .literalPattern, condition, scope, meaning: [meant], at: path,
            "\(operation) compares plain text: \(reason).", remedy: remedy)
        return true
    }

    /// What a text such as `>=18` or `!=de` says under `equals`.
    private func comparison(in text: String, _ condition: RuleCondition) -> RuleCondition? {
        guard Operation(wireName: condition.matchType, under: semantics) == .equals else { return nil }
        let sign = String(text.prefix { "<>=!≤≥≠".contains($0) })
        let rest = String(text.dropFirst(sign.count)).trimmed
        func negated(_ operation: String, _ value: JSValue) -> RuleCondition {
            RuleCondition(
                key: condition.key, matchType: operation, value: value, negation: true, ruleType: condition.ruleType)
        }
        let number = JSValue.number(ECMAScript.toNumber(.string(rest)))
        let isNumber = NumericShape.isNumeric(.string(rest))
        switch sign {
        case "<" where isNumber: return condition.comparing("less", number)
        case "<=" where isNumber, "≤" where isNumber: return condition.comparing("lessEqual", number)
        case ">" where isNumber: return negated("lessEqual", number)
        case ">=" where isNumber, "≥" where isNumber: return negated("less", number)
        case "!=" where !rest.isEmpty, "<>" where !rest.isEmpty, "≠" where !rest.isEmpty:
            return negated("equals", .string(rest))
        case "=" where !rest.isEmpty, "==" where !rest.isEmpty: return condition.comparing("equals", .string(rest))
        default: return nil
        }
    }

    /// An attribute whose name has blanks around it.
    mutating func checkBlanks(ofName name: String, _ condition: RuleCondition, at path: String) {
        let trimmed = name.trimmed
        if trimmed.isEmpty || trimmed.utf8.count == name.utf8.count { return }
        let meant = RuleCondition(
            key: trimmed, matchType: condition.matchType, value: condition.value, ruleType: condition.ruleType)
        suspect(
            .outerBlanks, condition, .visitor, meaning: [meant], at: path,
            "The attribute '\(name.excerpt())' has blanks at its ends, which belong to its name.",
            remedy: "Remove the blanks.")
    }
}

extension String {
    /// Whether it is a name in the braces of templates, such as `{{country}}` or `${country}`.
    fileprivate var isPlaceholder: Bool {
        for (start, end) in [("{{", "}}"), ("${", "}"), ("<%", "%>"), ("[[", "]]")] {
            guard hasPrefix(start), hasSuffix(end), count > start.count + end.count else { continue }
            let name = String(dropFirst(start.count).dropLast(end.count)).trimmed
            if name.allSatisfy({ $0.isLetter || $0.isNumber || "_-.= ".contains($0) }) { return true }
        }
        return false
    }

    /// What stands between percent signs, which are wildcards in SQL.
    fileprivate var betweenPercentSigns: String? {
        guard hasPrefix("%"), hasSuffix("%") else { return nil }
        let inner = String(dropFirst().dropLast())
        return inner.contains(where: \.isLetter) && !inner.contains("%") ? inner : nil
    }

    /// The text with the characters that HTML's notation stands for; `nil` if it has none.
    fileprivate var withoutEntities: String? {
        guard contains("&"), contains(";") else { return nil }
        var result = self
        for (name, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&nbsp;", " "),
            ("&amp;", "&"),
        ] {
            result = result.split(separator: name, omittingEmptySubsequences: false).joined(separator: character)
        }
        return result == self ? nil : result
    }
}
