/// An experience with everything resolved that does not depend on the visitor.
///
/// Trivial: reading one counts no references, at which threads that share a project would wait for each other. What varies
/// in length lies in pools of the ``CompiledProject``, and the model in its config at the same index.
struct CompiledExperience: Sendable {
    /// What the location gate asks for.
    enum LocationGate: Sendable {
        case unrestricted
        /// Range of the attached locations among the project's attachments; those that resolve to nothing restrict all the
        /// same.
        case locations(PoolRange)
        case siteArea(CompiledRules)
    }

    /// Where the experience runs.
    enum EnvironmentGate: Sendable {
        case anywhere
        /// Place among the project's environments.
        case only(Int)
        case nowhere
    }

    let index: Int
    let isArchived: Bool
    let environment: EnvironmentGate
    let location: LocationGate
    /// Range of the attached audiences, in config order, among the project's attachments.
    let audiences: PoolRange
    /// Whether an audience is attached by something that is no id, which then stands for one that never matches.
    let hasUnusableAudience: Bool
    let audienceMatching: Experience.Matching
    /// Range of the ids of the attached segments among the project's segment ids.
    let segments: PoolRange
    let variationCount: Int
    /// Index of the first experience with this key, which look-ups find.
    let keyOwner: Int
    /// Index of the first experience with this id, among whose variations the reference looks a bucketed one up.
    let idOwner: Int
    let hash: MurmurHash3
    let layout: BucketLayoutKind
    /// Range of the arms among the project's ranges.
    let ranges: PoolRange
}

/// What an audience asks.
struct CompiledAudience: Sendable {
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

/// What a location asks.
struct CompiledLocation: Sendable {
    /// `nil` without rules: it is not looked at, and keeps the visitor's stored presence.
    let rules: CompiledRules?
    /// The key under which presence is stored.
    let key: String
}
