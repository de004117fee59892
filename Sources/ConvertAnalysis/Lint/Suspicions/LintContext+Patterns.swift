internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for patterns that do not match what they seem to match.
extension LintContext {
    /// The suggested correction for an invalid pattern: a translation if the pattern is in the dialect of another
    /// engine.
    static func remedy(forInvalid pattern: String, of condition: RuleCondition) -> (edit: ConditionEdit?, text: String)
    {
        let dialect = PatternDialect(pattern, keepsReferences: true)
        let isOther = !dialect.translation.hasSameCodeUnits(as: pattern) && !dialect.translation.isEmpty
        guard isOther, (try? RegExp(dialect.translation, flags: "i")) != nil else {
            return (nil, "Correct the pattern.")
        }
        let edit = ConditionEdit(
            condition.comparing("regexMatches", .string(dialect.translation)), isNegated: condition.negation)
        return (edit, edit.sentence(replacing: condition, dialect.ignoresCase ? "; patterns ignore case anyway" : ""))
    }

    mutating func checkDialect(of pattern: String, _ site: SitedCondition) {
        if checkNotation(of: pattern, site) { return }
        // An invalid pattern has its own finding, which suggests a correction.
        guard case .success = pool.patterns.expression(of: PropertyKey(pattern)) else { return }
        func meaning(_ pattern: String, isNegated: Bool = false) -> [RuleCondition] {
            [site.condition.comparing("regexMatches", .string(pattern), negated: isNegated)]
        }
        let dialect = PatternDialect(pattern)
        if !dialect.foreign.isEmpty {
            let names = dialect.foreign.map { "'\($0.excerpt())'" }.listed
            let message =
                "The pattern has \(names), which means something else in JavaScript's regular expressions than in "
                + "other engines."
            let written = PatternDialect(pattern, keepsReferences: true).translation
            if written.isEmpty {
                suspect(
                    .foreignPattern, site, meaning: meaning(dialect.translation), at: site.valuePath, message,
                    remedy: "Write the pattern that is meant; JavaScript's regular expressions have no such "
                        + "construct.")
            } else {
                suspect(
                    .foreignPattern, site, meaning: meaning(dialect.translation), writing: meaning(written).first,
                    message, if: ", if that is meant")
            }
        }
        let text = PatternText(pattern)
        if let joined = text.withoutOuterBlanks {
            suspect(
                .outerBlanks, site, meaning: meaning(joined), "Blanks at the ends of an alternative belong to it.")
        }
        for slip in PatternSlips(pattern).all {
            suspect(
                .loosePattern, site, meaning: meaning(slip.meant, isNegated: slip.isNegated), slip.reason,
                if: slip.proviso)
        }
        if let modifiers = text.modifiers {
            add(
                .newSyntaxPattern, at: site.valuePath,
                "The pattern has \(modifiers), which engines before ES2025 cannot read: there it never matches, "
                    + "so older browsers decide differently from this SDK.",
                remedy: "Write the alternatives out; patterns ignore case anyway.")
        }
        if text.hasLookbehind {
            add(
                .newSyntaxPattern, at: site.valuePath,
                "The pattern looks behind, which Safari before 16.4 cannot read: there it never matches, so older "
                    + "browsers decide differently from this SDK.",
                remedy: "Write what stands before into the pattern, if it may be matched too.")
        }
    }
}
