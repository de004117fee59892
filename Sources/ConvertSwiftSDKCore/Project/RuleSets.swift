internal import ConvertECMAScript

/// The compiled rules of audiences, locations, segments and goals, each at its entity's index in the config.
struct RuleSets: ~Copyable, Sendable {
    let audiences: Rows<AudienceRow>
    /// `nil` for a location without rules. Such a location is skipped: the visitor's stored presence does not change.
    let locations: Rows<CompiledRules?>
    /// `nil` for a segment without rules.
    let segments: Rows<CompiledRules?>
    /// `nil` for a goal without rules.
    let goals: Rows<CompiledRules?>
}

/// What an audience checks.
struct AudienceRow: Sendable, BitwiseCopyable {
    enum Test: Sendable {
        /// Never matches: the audience has no rules.
        case never
        case rules(CompiledRules)
        /// Mutual exclusion: checks whether a decision is stored for an experience. A `nil` index means an unknown
        /// experience. This test replaces all of the audience's rules.
        case bucketedInto(experience: Int?, negated: Bool)
    }

    let test: Test
    let isPermanent: Bool
}
