internal import ConvertConcurrency
internal import ConvertECMAScript

/// What the copies of one ``ExperienceManager`` share.
final class ManagerStorage: Sendable {
    /// The environment that experiences must run in, unless a call names another.
    let environment: String
    /// Place of ``environment`` among the project's; `nil` if no experience names it.
    let environmentPlace: Int?
    private let shares: Striped<ProjectHandle>

    init(_ project: Project, environment: String) {
        self.environment = environment
        environmentPlace = project.environments.index(named: environment)
        shares = Striped { ProjectHandle(project) }
    }

    /// The calling thread's share of the project.
    var currentShare: ProjectHandle { shares.withCurrent { $0 } }
}
