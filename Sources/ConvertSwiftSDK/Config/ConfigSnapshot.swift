import ConvertECMAScript
import ConvertSwiftSDKCore
import Dispatch

/// One config with everything that decides on it. A context keeps the snapshot it started with.
final class ConfigSnapshot: Sendable {
    /// Where projects are released.
    static let release = DispatchQueue(label: "ConvertSwiftSDK.ConfigSnapshot.release", qos: .utility)

    let experiences: ExperienceManager
    let features: FeatureManager
    let goals: GoalManager
    let segments: SegmentsManager
    let destination: TrackingDestination
    /// `account-project-`, what the keys of its visitors begin with.
    let visitorKeyPrefix: String
    /// What a decision log says of it; `nil` without a log.
    let logged: LoggedConfig?
    /// The revision of the document that the config was read from; `nil` if the app gave the config as a value.
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
        logged = other.logged
        revision = other.revision
    }

    /// A snapshot like this one of another config of the project.
    func with(_ config: ProjectConfig, options: CompilationOptions) -> ConfigSnapshot {
        ConfigSnapshot(
            config, options: options, environment: experiences.environment, sdkKey: destination.sdkKey)
    }

    // A project takes a millisecond for each megabyte of config to free. The thread that releases it last is not to
    // wait, since it may be a request's.
    deinit {
        let project = project
        Self.release.async { withExtendedLifetime(project) {} }
    }

    /// The visitor's key in a store.
    func visitorKey(_ id: String) -> PropertyKey { PropertyKey(visitorKeyPrefix + id) }
}
