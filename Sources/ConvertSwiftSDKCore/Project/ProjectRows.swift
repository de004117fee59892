internal import ConvertECMAScript

/// An experience with everything resolved that does not depend on the visitor.
///
/// What varies in length lies in pools of the ``Project``, and the model in its config at the same index.
struct ExperienceRow: Sendable, BitwiseCopyable {
    // Trivial: reading one counts no references, at which threads that share a project would wait for each other.

    /// What the location gate asks for.
    enum LocationGate: Sendable {
        case unrestricted
        /// Range of the attached locations among the project's attachments; those that resolve to nothing restrict all the
        /// same.
        case locations(TableRange)
        case siteArea(CompiledRules)
    }

    /// Where the experience runs.
    enum EnvironmentGate: Sendable {
        case anywhere
        /// Place among the project's environments.
        case only(Int32)
        case nowhere
    }

    let indices: Indices
    let environment: EnvironmentGate
    let isArchived: Bool
    /// Whether its audiences found no room in the project, so that one which never matches stands for them.
    let lacksAudiences: Bool
    let audienceMatching: Experience.Matching
    let location: LocationGate
    let layout: BucketLayoutKind
    /// Range of the attached audiences, in config order, among the project's attachments.
    let audiences: TableRange
    /// Range of the ids of the attached segments among the project's segment ids.
    let segments: TableRange
    let hash: MurmurHash3
    /// Range of the arms among the project's ranges.
    let ranges: TableRange

    /// Numbers, in half the room.
    struct Indices: Sendable {
        fileprivate let own: Int32
        fileprivate let keyOwner: Int32
        fileprivate let idOwner: Int32
        fileprivate let variationCount: Int32

        init(own: Int, keyOwner: Int, idOwner: Int, variationCount: Int) {
            self.own = Int32(truncatingIfNeeded: own)
            self.keyOwner = Int32(truncatingIfNeeded: keyOwner)
            self.idOwner = Int32(truncatingIfNeeded: idOwner)
            self.variationCount = Int32(truncatingIfNeeded: variationCount)
        }
    }
}

extension ExperienceRow {
    /// The index among the project's experiences.
    @inline(__always) var index: Int { Int(indices.own) }
    /// Index of the first experience with this key, which look-ups find.
    @inline(__always) var keyOwner: Int { Int(indices.keyOwner) }
    /// Index of the first experience with this id, among whose variations the reference looks a bucketed one up.
    @inline(__always) var idOwner: Int { Int(indices.idOwner) }
    @inline(__always) var variationCount: Int { Int(indices.variationCount) }
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

/// What a location asks.
struct LocationRow: Sendable, BitwiseCopyable {
    /// `nil` without rules: it is not looked at, and keeps the visitor's stored presence.
    let rules: CompiledRules?
}
