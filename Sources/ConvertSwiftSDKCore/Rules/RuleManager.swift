package import ConvertECMAScript

/// Matches rule sets against attributes: any group, every clause, any condition, fail-closed.
///
/// Stateless and safe to share between threads. An empty set, group or clause never passes; what is empty or malformed
/// was reported when the rules were flattened. An absent attribute is passed on for every operator, since presence
/// operators depend on it.
package struct RuleManager: Sendable {
    /// The answers to the open questions.
    package let semantics: RuleSemantics

    /// Whether attribute names count their case; without effect under ``RuleSemantics/javaScript``.
    package let keysAreCaseSensitive: Bool

    /// A manager.
    package init(semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true) {
        self.semantics = semantics
        self.keysAreCaseSensitive = keysAreCaseSensitive
    }

    /// Whether `attributes` pass `rules`.
    ///
    ///     RuleManager().evaluate(rules: groups, against: ["country": "Canada", "visits": 3])
    ///
    /// - Parameters:
    ///   - rules: the groups of a flattened graph; none never pass.
    ///   - attributes: the visitor's side; `nil`, no data at all, passes nothing.
    /// - Returns: `false` also where the reference throws. The rules are compiled at each call; a ``Project`` does
    ///   it once.
    package func evaluate(rules: [RuleGroup], against attributes: JSObject?) -> Bool {
        verdict(of: rules, against: attributes).isMatch
    }

    /// As ``evaluate(rules:against:)``, telling malformed rules apart from those that do not match.
    package func verdict(of rules: [RuleGroup], against attributes: JSObject?) -> RuleVerdict {
        guard let attributes else { return verdict(of: rules, answeredBy: NoData()) }
        let set = compile(rules)
        var resolved = set.resolve(attributes)
        return set.verdict(on: &resolved)
    }

    /// Matches `rules` by asking `data` for each condition that evaluation reaches.
    package func verdict(of rules: [RuleGroup], answeredBy data: some RuleData) -> RuleVerdict {
        compile(rules).verdict(answeredBy: data)
    }

    private func compile(_ rules: [RuleGroup]) -> CompiledRuleSet {
        CompiledRuleSet(rules, semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
    }
}

/// No data at all: no condition holds, whatever it asks.
private struct NoData: RuleData {
    func answer(for condition: RuleCondition) -> RuleDataAnswer { .unsupported }
}
