import ConvertECMAScript
import ConvertSwiftSDKCore

/// What an operator wants to know of a config that was installed.
struct ConfigSummary {
    let config: ProjectConfig
    let environment: String
    let revision: ConfigRevision?
    /// Whether events are sent: `on`, `off` or `offline`.
    let tracking: String

    /// One line that says which config decides, where, and whether that is reported.
    var description: String {
        let name = config.project.name.map { " (\($0.excerpt(80)))" } ?? ""
        let running = config.experiences.count { runsHere($0) }
        return "config installed: account \(config.accountID.text.excerpt()), project "
            + "\(config.project.id.text.excerpt())\(name), environment '\(environment)', \(running) of "
            + "\(config.experiences.count) experiences run there, revision \(revision?.description ?? "unknown"), "
            + "tracking \(tracking)."
    }

    /// What to say of an environment that no experience names although they name some, or in which none runs; `nil` if
    /// all is well.
    var environmentWarning: String? {
        guard let warning = config.warning(ofEnvironment: environment) else { return nil }
        return warning.description + (warning.nearest.map { "; \($0.didYouMean) " } ?? ". ")
            + "The environment is given where the SDK is made."
    }

    private func runsHere(_ experience: ProjectConfig.Experience) -> Bool {
        if config.archivedIDs.contains(experience.id.key) { return false }
        return switch experience.environment {
        case .anywhere: true
        case .only(let name): name.hasSameCodeUnits(as: environment)
        case .nowhere: false
        }
    }
}
