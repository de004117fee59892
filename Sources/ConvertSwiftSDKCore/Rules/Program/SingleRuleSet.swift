package import ConvertECMAScript

/// One rule set with its own program. Safe to share between threads.
///
///     SingleRuleSet(groups).evaluate(against: ["country": "Canada", "visits": 3])
package struct SingleRuleSet: Sendable {
    private let manager: RuleManager
    private let rules: CompiledRules

    /// Compiles `groups`; an empty list never matches. `keysAreCaseSensitive` has no effect under
    /// ``RuleSemantics/javaScript``.
    package init(
        _ groups: [RuleGroup], semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true,
        patterns: PatternPool = PatternPool()
    ) {
        var compiler = RuleCompiler(
            semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive, patterns: patterns)
        var diagnostics: [ConfigDiagnostic] = []
        rules = compiler.compile(groups, diagnostics: &diagnostics)
        manager = RuleManager(program: RuleProgram(compiler))
    }

    /// Whether the rules match `attributes`. `false` for `nil`, which means that there is no data, and where the
    /// reference throws.
    package func evaluate(against attributes: JSObject?) -> Bool { verdict(on: attributes).isMatch }

    /// Matches the rules against `attributes` like ``evaluate(against:)``, but distinguishes malformed rules from a
    /// mismatch.
    package func verdict(on attributes: JSObject?) -> RuleVerdict {
        guard let attributes else { return verdict(answeredBy: NoData()) }
        var resolved = resolve(attributes)
        return verdict(on: &resolved)
    }

    package func verdict(on attributes: inout Attributes) -> RuleVerdict {
        var budget = CallBudget()
        return manager.evaluate(rules, against: &attributes, &budget, observer: SilentObserver())
    }

    /// Matches the rules by asking `data` for each condition that evaluation reaches.
    package func verdict(answeredBy data: some RuleData) -> RuleVerdict {
        var budget = CallBudget()
        return manager.evaluate(rules, answeredBy: data, &budget, observer: SilentObserver())
    }

    package func resolve(_ attributes: JSObject) -> Attributes { Attributes(attributes, in: manager.program) }
}

/// Rule data for no data at all: no condition holds.
private struct NoData: RuleData {
    func answer(for condition: RuleCondition) -> RuleDataAnswer { .unsupported }
}
