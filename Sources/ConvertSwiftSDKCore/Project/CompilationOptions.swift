internal import ConvertECMAScript

package struct CompilationOptions: Sendable, Hashable {
    package var semantics: RuleSemantics

    /// Whether attribute names are case-sensitive. It has no effect under ``RuleSemantics/javaScript``. If names are
    /// not case-sensitive, and the names of several attributes differ only in case, rules read only the attribute whose
    /// name has the smallest UTF-8 bytes.
    package var keysAreCaseSensitive: Bool

    package var bucketing: BucketingOptions

    /// The number of steps that all comparisons of one call may take together. A comparison that needs more steps than
    /// are left counts as no match.
    package var callSteps = CallBudget.steps

    /// Compiled patterns that other projects have too; `nil` if they share none.
    package var patterns: PatternPool?

    package init(
        semantics: RuleSemantics = .standard, keysAreCaseSensitive: Bool = true,
        bucketing: BucketingOptions = BucketingOptions()
    ) {
        self.semantics = semantics
        self.keysAreCaseSensitive = keysAreCaseSensitive
        self.bucketing = bucketing
    }
}
