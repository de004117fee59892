internal import ConvertECMAScript

/// How a config is compiled.
package struct CompilationOptions: Sendable, Hashable {
    /// The answers to the open questions of rule evaluation.
    package var semantics: RuleSemantics

    /// Whether attribute names count their case; without effect under ``RuleSemantics/javaScript``. Where it does not count,
    /// of attributes whose names differ in case only the one with the smallest code units is read.
    package var keysAreCaseSensitive: Bool

    /// How visitors are hashed.
    package var bucketing: BucketingOptions

    /// Steps that the comparisons of one call may take together; what is left without an answer counts as no match.
    package var callSteps = CallBudget.steps

    /// Options.
    package init(
        semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true,
        bucketing: BucketingOptions = BucketingOptions()
    ) {
        self.semantics = semantics
        self.keysAreCaseSensitive = keysAreCaseSensitive
        self.bucketing = bucketing
    }
}
