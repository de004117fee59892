import ConvertECMAScript
import ConvertSwiftSDKCore

/// A description of an installed config, for operators.
struct ConfigSummary {
    let config: ProjectConfig
    let environment: String
    let revision: ConfigRevision?
    /// Whether events are sent: `on`, `off` or `offline`.
    let tracking: String

    /// One line with the config, its environment, and whether decisions are reported.
    var description: String {
        let name = config.project.name.map { " (\($0.excerpt(80)))" } ?? ""
        let running = config.experiences.count { runsHere($0) }
        return "config installed: account \(config.accountID.text.excerpt()), project "
            + "\(config.project.id.text.excerpt())\(name), environment '\(environment)', \(running) of "
            + "\(config.experiences.count) experiences run there, revision \(revision?.description ?? "unknown"), "
            + "tracking \(tracking)."
    }

    /// A warning if neither the project nor an experience names the environment although they name others, or if no
    /// experience runs in it; otherwise `nil`.
    var environmentWarning: String? {
        guard let warning = config.warning(ofEnvironment: environment) else { return nil }
        return warning.description + (warning.nearest.map { "; \($0.didYouMean) " } ?? ". ")
            + "Set the environment where you create the SDK."
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
