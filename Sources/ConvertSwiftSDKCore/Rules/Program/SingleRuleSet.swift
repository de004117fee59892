package import ConvertECMAScript

/// One rule set with a program of its own. Safe to share between threads.
///
///     SingleRuleSet(groups).evaluate(against: ["country": "Canada", "visits": 3])
package struct SingleRuleSet: Sendable {
    private let manager: RuleManager
    private let rules: CompiledRules

    /// Compiles `groups`.
    ///
    /// - Parameters:
    ///   - groups: those of a flattened graph; none never pass.
    ///   - semantics: the answers to the open questions.
    ///   - keysAreCaseSensitive: whether attribute names count their case; without effect under ``RuleSemantics/javaScript``.
    package init(_ groups: [RuleGroup], semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true) {
        var compiler = RuleCompiler(semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
        var diagnostics: [ConfigDiagnostic] = []
        rules = compiler.compile(groups, diagnostics: &diagnostics)
        manager = RuleManager(program: RuleProgram(compiler))
    }

    /// Whether `attributes` pass; `nil`, no data at all, passes nothing. `false` also where the reference throws.
    package func evaluate(against attributes: JSObject?) -> Bool { verdict(on: attributes).isMatch }

    /// As ``evaluate(against:)``, telling malformed rules apart from those that do not match.
    package func verdict(on attributes: JSObject?) -> RuleVerdict {
        guard let attributes else { return verdict(answeredBy: NoData()) }
        var resolved = resolve(attributes)
        return verdict(on: &resolved)
    }

    /// Matches the rules against resolved attributes.
    package func verdict(on attributes: inout Attributes) -> RuleVerdict {
        var budget = CallBudget()
        return manager.evaluate(rules, against: &attributes, &budget, observer: SilentObserver())
    }

    /// Matches the rules by asking `data` for each condition that evaluation reaches.
    package func verdict(answeredBy data: some RuleData) -> RuleVerdict {
        var budget = CallBudget()
        return manager.evaluate(rules, answeredBy: data, &budget, observer: SilentObserver())
    }

    /// `attributes` in the program's slots.
    package func resolve(_ attributes: JSObject) -> Attributes { Attributes(attributes, in: manager.program) }
}

/// No data at all: no condition holds, whatever it asks.
private struct NoData: RuleData {
    func answer(for condition: RuleCondition) -> RuleDataAnswer { .unsupported }
}
