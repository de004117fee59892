import ConvertSwiftSDKCore
import Synchronization

/// One config with everything that decides on it. A context keeps the snapshot it started with.
final class ConfigSnapshot: Sendable {
    let experiences: ExperienceManager
    let features: FeatureManager
    let goals: GoalManager
    let segments: SegmentsManager
    let destination: TrackingDestination
    /// `account-project-`, what the keys of its visitors begin with.
    let visitorKeyPrefix: String

    let project: CompiledProject
    var config: ProjectConfig { project.config }

    init(project: CompiledProject, environment: String, sdkKey: String?) {
        self.project = project
        experiences = ExperienceManager(project: project, environment: environment)
        features = FeatureManager(experiences: experiences)
        goals = GoalManager(project: project)
        segments = SegmentsManager(project: project)
        let config = project.config
        destination = TrackingDestination(
            sdkKey: sdkKey, accountID: config.accountID.value, projectID: config.project.id.value)
        visitorKeyPrefix = "\(config.accountID.text)-\(config.project.id.text)-"
    }

    /// A second object over the same managers.
    func copy() -> ConfigSnapshot { ConfigSnapshot(copying: self) }

    private init(copying other: ConfigSnapshot) {
        project = other.project
        experiences = other.experiences
        features = other.features
        goals = other.goals
        segments = other.segments
        destination = other.destination
        visitorKeyPrefix = other.visitorKeyPrefix
    }

    /// A snapshot like this one of another config of the project.
    func with(_ config: ProjectConfig, options: CompilationOptions) -> ConfigSnapshot {
        ConfigSnapshot(
            project: CompiledProject(config, options: options), environment: experiences.environment,
            sdkKey: destination.sdkKey)
    }

    /// The visitor's key in a store.
    func visitorKey(_ id: String) -> String { visitorKeyPrefix + id }
}

/// The snapshot that new contexts get, swapped as a whole.
///
/// Every context reads it, so it lies in several cells, each with an object of its own: threads that make contexts seldom
/// meet at one lock or at one reference count.
final class SnapshotBox: Sendable {
    final class Cell: Sendable {
        fileprivate let snapshot = Mutex<ConfigSnapshot?>(nil)
        private let padding = StripePadding.zero

        /// The snapshot now.
        var current: ConfigSnapshot? { snapshot.withLock { $0 } }
    }

    /// One for each ``ThreadStripe``.
    let cells = (0..<ThreadStripe.count).map { _ in Cell() }

    init() {}

    var current: ConfigSnapshot? { cells[ThreadStripe.current].current }

    /// Swaps the snapshot in. Only one thread does so at a time. Once a context has it, none gets an older one.
    func replace(with snapshot: ConfigSnapshot) {
        var replaced: [ConfigSnapshot?] = []
        replace(with: cells.map { _ in snapshot.copy() }[...], keeping: &replaced)
        // What nobody needs any more ends here, behind the locks: freeing a config takes long.
    }

    /// Opens no cell before all of them have theirs.
    private func replace(with copies: ArraySlice<ConfigSnapshot>, keeping replaced: inout [ConfigSnapshot?]) {
        guard let copy = copies.first else { return }
        cells[copies.startIndex].snapshot.withLock {
            replaced.append($0)
            $0 = copy
            replace(with: copies.dropFirst(), keeping: &replaced)
        }
    }
}
