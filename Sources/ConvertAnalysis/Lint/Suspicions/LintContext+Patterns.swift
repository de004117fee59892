internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Patterns that match something else than they seem to.
extension LintContext {
    /// How a pattern that cannot be read is written here, if it is one of another engine.
    static func remedy(forInvalid pattern: String) -> String {
        let translation = PatternDialect(pattern).translation
        let isOther = !translation.hasSameCodeUnits(as: pattern)
        guard isOther, (try? RegExp(translation, flags: "i")) != nil else { return "Correct the pattern." }
        return "Write \(translation.excerpt()); patterns ignore case anyway."
    }

    mutating func checkDialect(
        of pattern: String, _ condition: RuleCondition, _ scope: Formula.Scope, at path: String
    ) {
        if checkNotation(of: pattern, condition, scope, at: path) { return }
        // The finding that it cannot be read says what to write.
        guard (try? RegExp(pattern, flags: "i")) != nil else { return }
        let dialect = PatternDialect(pattern)
        if !dialect.foreign.isEmpty {
            let names = dialect.foreign.map { "'\($0.excerpt())'" }.joined(separator: ", ")
            suspect(
                .foreignPattern, condition, scope,
                meaning: [condition.comparing("regexMatches", .string(dialect.translation))], at: path,
                "The pattern has \(names), which JavaScript's expressions read otherwise than other engines do.",
                remedy: dialect.remedy)
        }
        let shape = PatternShape(pattern)
        if let joined = shape.withoutOuterBlanks {
            suspect(
                .outerBlanks, condition, scope, meaning: [condition.comparing("regexMatches", .string(joined))],
                at: path, "Blanks at the ends of an alternative belong to it.", remedy: "Write \(joined.excerpt()).")
        }
        if let anchored = shape.withCommonAnchors {
            suspect(
                .loosePattern, condition, scope, meaning: [condition.comparing("regexMatches", .string(anchored))],
                at: path, "An anchor belongs to the alternative that it stands in, not to the others.",
                remedy: "Write \(anchored.excerpt()), if all alternatives are meant.")
        }
        if let corrected = ClassShape.corrected(pattern) {
            suspect(
                .loosePattern, condition, scope, meaning: [condition.comparing("regexMatches", .string(corrected))],
                at: path, "Brackets match one character of those in them, whatever stands beside it there.",
                remedy: "Write \(corrected.excerpt()), if that is meant.")
        }
        if let words = pattern.joinedWords {
            suspect(
                .loosePattern, condition, scope,
                meaning: [condition.comparing("regexMatches", .string(words.joined(separator: "|")))], at: path,
                "A comma or a semicolon separates nothing in a pattern.",
                remedy: "Write \(words.joined(separator: "|").excerpt()), if alternatives are meant.")
        }
        if let escaped = shape.withEscapedQuery {
            suspect(
                .loosePattern, condition, scope, meaning: [condition.comparing("regexMatches", .string(escaped))],
                at: path, "A '?' makes what stands before it optional; an address with a query is not matched.",
                remedy: "Write \(escaped.excerpt()), if the query of an address is meant.")
        }
        for slip in PatternSlips(pattern).all {
            var meant = condition.comparing("regexMatches", .string(slip.meant))
            if slip.isNegated {
                meant = RuleCondition(
                    key: condition.key, matchType: "regexMatches", value: .string(slip.meant), negation: true,
                    ruleType: condition.ruleType)
            }
            suspect(
                .loosePattern, condition, scope, meaning: [meant], at: path, slip.reason,
                remedy:
                    "Write \(slip.meant.excerpt())"
                    + (slip.isNegated ? " and negate the condition, if that is meant." : ", if that is meant.")
            )
        }
        if let modifiers = shape.modifiers {
            add(
                LintFinding(
                    .newSyntaxPattern, at: path,
                    "The pattern has \(modifiers), which engines before ES2025 cannot read: there it never matches, "
                        + "so that "
                        + "older browsers decide otherwise than this SDK.",
                    remedy: "Write the alternatives out; patterns ignore case anyway."))
        }
        if shape.hasLookbehind {
            add(
                LintFinding(
                    .newSyntaxPattern, at: path,
                    "The pattern looks behind, which Safari before 16.4 cannot read: there it never matches, so that "
                        + "older browsers decide otherwise than this SDK.",
                    remedy: "Write what stands before into the pattern, if it may be matched too."))
        }
    }
}
