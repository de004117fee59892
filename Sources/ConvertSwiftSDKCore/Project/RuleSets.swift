internal import ConvertECMAScript

/// What audiences, locations, segments and goals ask, each at its entity's index in the config.
struct RuleSets: ~Copyable, Sendable {
    let audiences: FrozenTable<AudienceRow>
    /// `nil` without rules: the location is not looked at, and keeps the visitor's stored presence.
    let locations: FrozenTable<CompiledRules?>
    /// `nil` without rules.
    let segments: FrozenTable<CompiledRules?>
    /// `nil` without rules.
    let goals: FrozenTable<CompiledRules?>

    init(
        audiences: [AudienceRow], locations: [CompiledRules?], segments: [CompiledRules?], goals: [CompiledRules?]
    ) {
        self.audiences = FrozenTable(audiences)
        self.locations = FrozenTable(locations)
        self.segments = FrozenTable(segments)
        self.goals = FrozenTable(goals)
    }

    deinit {
        audiences.deallocate()
        locations.deallocate()
        segments.deallocate()
        goals.deallocate()
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
