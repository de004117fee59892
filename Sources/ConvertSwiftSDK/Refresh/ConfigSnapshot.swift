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

    var project: CompiledProject { experiences.project }
    var config: ProjectConfig { experiences.project.config }

    init(project: CompiledProject, environment: String, sdkKey: String?) {
        experiences = ExperienceManager(project: project, environment: environment)
        features = FeatureManager(experiences: experiences)
        goals = GoalManager(project: project)
        segments = SegmentsManager(project: project)
        let config = project.config
        destination = TrackingDestination(
            sdkKey: sdkKey, accountID: config.accountID.value, projectID: config.project.id.value)
        visitorKeyPrefix = "\(config.accountID.text)-\(config.project.id.text)-"
    }

    /// A second object over the same compiled project.
    func copy() -> ConfigSnapshot {
        ConfigSnapshot(project: project, environment: experiences.environment, sdkKey: destination.sdkKey)
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
/// Every context reads it, so it lies in several cells: threads that make contexts for different visitors seldom meet at
/// one lock or at one reference count.
final class SnapshotBox: Sendable {
    private final class Cell: Sendable {
        let snapshot = Mutex<ConfigSnapshot?>(nil)
    }

    private let cells = (0..<16).map { _ in Cell() }

    init() {}

    /// The snapshot now, for `visitorID`.
    func current(for visitorID: String) -> ConfigSnapshot? {
        let utf8 = visitorID.utf8
        let last = utf8.last.map { Int($0) } ?? 0
        return cells[(utf8.count &+ last) & 15].snapshot.withLock { $0 }
    }

    var current: ConfigSnapshot? { cells[0].snapshot.withLock { $0 } }

    /// Swaps the snapshot in. Only one thread does so at a time. A visitor's next context sees it, and none after that
    /// sees an older one.
    func replace(with snapshot: ConfigSnapshot) {
        for cell in cells {
            let copy = snapshot.copy()
            cell.snapshot.withLock { $0 = copy }
        }
    }
}
