internal import ConvertECMAScript

/// An experience with everything resolved that does not depend on a visitor.
///
/// Data of variable length is in the other tables of the ``ExperienceCatalog``. The config has the model at the same
/// index.
struct ExperienceRow: Sendable, BitwiseCopyable {
    // Keep the type `BitwiseCopyable`: otherwise threads that share a project wait for each other.

    enum LocationGate: Sendable {
        case unrestricted
        /// Range of the attached locations in the project's attachments. Unknown locations still restrict: if all are
        /// unknown, no visitor is eligible.
        case locations(TableRange)
        case siteArea(CompiledRules)
    }

    enum EnvironmentGate: Sendable {
        case anywhere
        /// Index of the environment in the project.
        case only(Int32)
        case nowhere
    }

    /// The experience's own index in the project.
    let index: Int
    /// Index of the first experience with this experience's key, which look-ups find.
    let keyOwner: Int
    /// Index of the first experience with this experience's id. The reference looks up a bucketed variation among the
    /// variations of that experience.
    let idOwner: Int
    let variationCount: Int
    let environment: EnvironmentGate
    let isArchived: Bool
    /// Whether the experience's audiences exceed the limit of attachments. An audience that never matches replaces
    /// them.
    let lacksAudiences: Bool
    let audienceMatching: ProjectConfig.Experience.Matching
    let location: LocationGate
    let layout: BucketLayoutKind
    /// Range of the attached audiences in the project's attachments, in config order.
    let audiences: TableRange
    /// Range of the attached segments' ids in the project's segment ids.
    let segments: TableRange
    let hash: MurmurHash3
    /// Range of the arms in the project's ranges.
    let ranges: TableRange
}
