package import ConvertECMAScript

/// One rule set with a program of its own, for callers that have no project: a single call, or a loop over many
/// attribute sets.
package struct CompiledRuleSet: Sendable {
    package let program: RuleProgram
    package let rules: CompiledRules

    /// Compiles `groups`.
    package init(_ groups: [RuleGroup], semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true) {
        var compiler = RuleProgramBuilder(semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
        rules = compiler.compile(groups)
        program = RuleProgram(compiler)
    }

    /// `attributes` in the program's slots.
    package func resolve(_ attributes: JSObject) -> Attributes {
        Attributes(attributes, in: program)
    }

    /// Matches the rules against resolved attributes.
    package func verdict(on attributes: inout Attributes) -> RuleVerdict {
        var budget = CallBudget()
        return program.evaluate(rules, against: &attributes, &budget, observer: SilentObserver())
    }

    /// Matches the rules by asking `data` for each condition that evaluation reaches.
    package func verdict(answeredBy data: some RuleData) -> RuleVerdict {
        var budget = CallBudget()
        return program.evaluate(rules, answeredBy: data, &budget, observer: SilentObserver())
    }
}
