internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A suggested replacement for a condition's operator, value and negation.
struct ConditionEdit: Sendable, Equatable {
    /// The maximum number of characters shown of a value.
    private static let mostCharacters = 500

    let matchType: String
    let value: JSValue?
    let isNegated: Bool

    /// - Parameters:
    ///   - meant: the intended condition in place of the condition without its negation.
    ///   - isNegated: whether the condition is negated.
    init(_ meant: RuleCondition, isNegated: Bool) {
        matchType = meant.matchType
        value = meant.value
        self.isNegated = meant.negation != isNegated
    }

    /// The suggestion as a sentence, with the value in JSON.
    func sentence(replacing condition: RuleCondition, _ proviso: String) -> String {
        let text = value.map { ECMAScript.jsonText(of: $0).excerpt(Self.mostCharacters) }
        var words: String
        if matchType == condition.matchType, let text {
            words = "Write \(text)"
        } else {
            words = "Use \(matchType)" + (text.map { " with the value \($0)" } ?? " without a value")
        }
        if isNegated != condition.negation { words += " and \(isNegated) as negated" }
        return words + proviso + "."
    }
}

extension RuleCondition {
    /// The condition itself, or its opposite if `isNegated`.
    func negated(_ isNegated: Bool) -> RuleCondition {
        RuleCondition(
            key: key, matchType: matchType, value: value, negation: negation != isNegated, ruleType: ruleType)
    }

    /// The same on another attribute, without the negation.
    func renamed(_ key: String) -> RuleCondition {
        RuleCondition(key: key, matchType: matchType, value: value, ruleType: ruleType)
    }

    /// A condition on the same attribute with another operator and value.
    func comparing(_ matchType: String, _ value: JSValue?, negated: Bool = false) -> RuleCondition {
        RuleCondition(key: key, matchType: matchType, value: value, negation: negated, ruleType: ruleType)
    }

    /// A condition with the meaning that a text with asterisks as wildcards has under the operator.
    func comparing(_ operation: Operation, glob text: String) -> RuleCondition {
        let parts = text.split(separator: "*", omittingEmptySubsequences: false)
        let texts = parts.filter { !$0.isEmpty }
        let (isStart, isEnd) = (
            operation == .equals || operation == .startsWith, operation == .equals || operation == .endsWith
        )
        let (isOpenAtStart, isOpenAtEnd) = (
            !isStart || text.hasPrefix("*"), !isEnd || text.hasSuffix("*")
        )
        if texts.count == 1, isOpenAtStart || isOpenAtEnd {
            let name = isOpenAtStart ? isOpenAtEnd ? "contains" : "endsWith" : "startsWith"
            return comparing(name, .string(String(texts[0])))
        }
        let inner = texts.map(\.escapedForExpression).joined(separator: ".*")
        return comparing("regexMatches", .string((isOpenAtStart ? "" : "^") + inner + (isOpenAtEnd ? "" : "$")))
    }

    /// A condition that holds if the operator holds for one of the texts, ignoring case.
    func comparing(_ operation: Operation, anyOf texts: [String]) -> RuleCondition {
        let inner = texts.map { $0[...].escapedForExpression }.joined(separator: "|")
        let pattern =
            switch operation {
            case .startsWith: "^(?:\(inner))"
            case .endsWith: "(?:\(inner))$"
            case .contains: inner
            default: "^(?:\(inner))$"
            }
        return comparing("regexMatches", .string(pattern))
    }
}

extension Substring {
    /// A pattern that matches exactly this text.
    var escapedForExpression: String {
        map { "\\^$.|?+*()[]{}/".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
