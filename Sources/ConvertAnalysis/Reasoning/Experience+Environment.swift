internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

extension ProjectConfig.Experience {
    /// The environment that the experience runs in; `nil` if it runs in every environment, or in none.
    var environmentName: String? {
        if case .only(let name) = environment { name } else { nil }
    }

    /// The name of the environment in reports; empty if the experience runs in every environment.
    var environmentText: String {
        switch environment {
        case .anywhere: ""
        case .only(let name): name
        case .nowhere: ConfigDifference.Experience.nowhere
        }
    }

    /// Whether both run in the same environments. Composed and decomposed letters make two names, as for a call.
    func hasSameEnvironment(as other: Self) -> Bool {
        guard let own = environmentName, let name = other.environmentName else {
            return environment == other.environment
        }
        return own.hasSameCodeUnits(as: name)
    }

    /// Whether both experiences run in a single environment each, and in different ones, so that no call decides both.
    /// `false` if an experience does not exist.
    func runsApart(from other: Self?) -> Bool {
        guard let other, environmentName != nil, other.environmentName != nil else { return false }
        return !hasSameEnvironment(as: other)
    }
}

extension ProjectConfig {
    /// The environment of `experience`, if the project declares environments and this is not one of them; otherwise
    /// `nil`.
    func undeclaredEnvironment(of experience: Experience) -> String? {
        guard let name = experience.environmentName,
            let declared = Project.environmentNames(in: project.environments), !declared.isEmpty,
            !declared.contains(where: { $0.hasSameCodeUnits(as: name) })
        else { return nil }
        return name
    }

    /// Whether `experience` runs in the environment `name`; `nil` stands for any environment of the project.
    func runs(_ experience: Experience, in name: String?) -> Bool {
        guard let name, let own = experience.environmentName else { return runsSomewhere(experience) }
        return runsSomewhere(experience) && own.hasSameCodeUnits(as: name)
    }

    /// The names of the environments that the project declares.
    var declaredEnvironments: [String] { Project.environmentNames(in: project.environments) ?? [] }

    /// Whether `experience` runs in any environment of the project.
    func runsSomewhere(_ experience: Experience) -> Bool {
        experience.environment != .nowhere && undeclaredEnvironment(of: experience) == nil
    }
}
