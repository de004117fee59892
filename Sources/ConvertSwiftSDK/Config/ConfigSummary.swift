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

    /// What to say of an environment that no experience names although they name some; `nil` if all is well.
    var environmentWarning: String? {
        let names = namedEnvironments
        guard !environment.isEmpty, !names.isEmpty, !names.contains(PropertyKey(environment)) else { return nil }
        let texts = names.map(\.name).sorted()
        let unknown = UnknownName("environment", environment, among: texts)
        let list = texts.prefix(10).map { "'\($0.excerpt())'" }.joined(separator: ", ")
        return "no experience names the environment '\(environment.excerpt(80))'; they name \(list)"
            + (unknown.nearest == nil ? ". " : "\(unknown.question) ")
            + "The environment is given where the SDK is made."
    }

    /// The environments that experiences name, be it as the only one where they run or as one where they were published.
    private var namedEnvironments: Set<PropertyKey> {
        var names: Set<PropertyKey> = []
        for experience in config.experiences {
            if case .only(let name) = experience.environment { names.insert(PropertyKey(name)) }
            for name in experience.environments { names.insert(PropertyKey(name)) }
        }
        return names
    }

    private func runsHere(_ experience: Experience) -> Bool {
        if config.archivedIDs.contains(experience.id.key) { return false }
        return switch experience.environment {
        case .anywhere: true
        case .only(let name): name.hasSameCodeUnits(as: environment)
        case .nowhere: false
        }
    }
}
