import ConvertECMAScript
import ConvertSwiftSDKCore
import Dispatch

/// A compiled config and the managers that decide on it. A context keeps the snapshot that it started with.
final class ConfigSnapshot: Sendable {
    /// The queue on which projects are freed.
    static let release = DispatchQueue(label: "ConvertSwiftSDK.ConfigSnapshot.release", qos: .utility)

    let experiences: ExperienceManager
    let features: FeatureManager
    let goals: GoalManager
    let segments: SegmentsManager
    let destination: TrackingDestination
    /// The prefix of its visitors' keys: `account-project-`.
    let visitorKeyPrefix: String
    /// The config's part of a decision log's lines; `nil` without a log.
    let logged: LoggedConfig?
    /// The revision of the document that the config was read from; `nil` if the app passed the config as a value.
    let revision: ConfigRevision?

    let project: Project
    var config: ProjectConfig { project.config }

    init(
        _ config: ProjectConfig, options: CompilationOptions, environment: String, sdkKey: String?,
        logged: LoggedConfig? = nil, revision: ConfigRevision? = nil
    ) {
        let project = Project(config, options: options)
        self.project = project
        experiences = ExperienceManager(project: project, environment: environment)
        features = FeatureManager(experiences: experiences)
        goals = GoalManager(project: project)
        segments = SegmentsManager(project: project)
        destination = TrackingDestination(
            sdkKey: sdkKey, accountID: config.accountID.value, projectID: config.project.id.value)
        self.logged = logged
        self.revision = revision
        visitorKeyPrefix = "\(config.accountID.text)-\(config.project.id.text)-"
    }

    /// Another object with the same managers.
    func copy() -> ConfigSnapshot { ConfigSnapshot(copying: self) }

    private init(copying other: ConfigSnapshot) {
        project = other.project
        experiences = other.experiences
        features = other.features
        goals = other.goals
        segments = other.segments
        destination = other.destination
        visitorKeyPrefix = other.visitorKeyPrefix
        logged = other.logged
        revision = other.revision
    }

    /// A snapshot of another config of the same project, with otherwise the same settings.
    func with(_ config: ProjectConfig, options: CompilationOptions) -> ConfigSnapshot {
        ConfigSnapshot(
            config, options: options, environment: experiences.environment, sdkKey: destination.sdkKey)
    }

    // Freeing a project takes a millisecond for each megabyte of config. The last user may be the thread of a request,
    // so another thread frees the project.
    deinit {
        let project = project
        Self.release.async { withExtendedLifetime(project) {} }
    }

    /// The key of the visitor's record in a store.
    func visitorKey(_ id: String) -> PropertyKey { PropertyKey(visitorKeyPrefix + id) }
}
