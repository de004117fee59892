internal import ConvertECMAScript

/// What audiences, locations, segments and goals ask, each at its entity's index in the config.
final class RuleSets: Sendable {
    let audiences: Rows<AudienceRow>
    /// `nil` without rules: the location is not looked at, and keeps the visitor's stored presence.
    let locations: Rows<CompiledRules?>
    /// `nil` without rules.
    let segments: Rows<CompiledRules?>
    /// `nil` without rules.
    let goals: Rows<CompiledRules?>

    init(
        audiences: [AudienceRow], locations: [CompiledRules?], segments: [CompiledRules?], goals: [CompiledRules?]
    ) {
        self.audiences = Rows(audiences)
        self.locations = Rows(locations)
        self.segments = Rows(segments)
        self.goals = Rows(goals)
    }
}

/// What an audience asks.
struct AudienceRow: Sendable, BitwiseCopyable {
    enum Test: Sendable {
        /// Without rules it never matches.
        case never
        case rules(CompiledRules)
        /// Mutual exclusion: whether a decision is stored for an experience, `nil` if that is unknown. It stands for all
        /// of the audience's rules.
        case bucketedInto(experience: Int?, negated: Bool)
    }

    let test: Test
    let isPermanent: Bool
}
