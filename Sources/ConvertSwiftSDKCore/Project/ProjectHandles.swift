internal import ConvertConcurrency
internal import ConvertECMAScript

/// What the copies of one ``ExperienceManager`` share: its environment, and a handle of the project for each few threads.
final class ProjectHandles: Sendable {
    /// The environment that experiences must run in, unless a call names another.
    let environment: String
    /// Place of ``environment`` among the project's; `nil` if no experience names it.
    let environmentPlace: Int?
    private let handles: Striped<ProjectHandle>

    init(_ project: Project, environment: String) {
        self.environment = environment
        environmentPlace = project.environments.index(named: environment)
        handles = Striped { ProjectHandle(project) }
    }

    /// The calling thread's handle.
    var current: ProjectHandle { handles.withCurrent { $0 } }
}
