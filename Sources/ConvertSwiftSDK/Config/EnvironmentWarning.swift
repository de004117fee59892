package import ConvertECMAScript
package import ConvertSwiftSDKCore

/// A warning that an environment looks wrong, judging by the environments that a config's experiences name.
package struct EnvironmentWarning: Sendable, Equatable {
    /// Whether no experience runs in the environment, so that no visitor is eligible.
    package let excludesAll: Bool
    /// The problem, as a clause without a full stop.
    package let description: String
    /// The most similar environment name; `nil` if there is no similar one.
    package let nearest: String?

    /// The problem and the most similar environment, followed by `remedy`, which begins a clause.
    package func description(then remedy: String) -> String { description + nearest.question(then: remedy) }
}

extension ProjectConfig {
    /// The warning about deciding in `environment`, if neither the project nor an experience names it although they
    /// name others, or if all experiences run elsewhere; otherwise `nil`.
    package func warning(ofEnvironment environment: String) -> EnvironmentWarning? {
        let archived = Set(archivedIDs)
        let running = experiences.lazy.filter { !archived.contains($0.id.key) }.map(\.environment)
        let places = Set(running.compactMap { if case .only(let name) = $0 { PropertyKey(name) } else { nil } })
        let runsThere = running.contains(.anywhere) || places.contains(PropertyKey(environment))
        let excludesAll = !runsThere && !places.isEmpty
        let names = environmentKeys
        let isNamed = names.contains(PropertyKey(environment))
        guard !environment.isEmpty, !names.isEmpty, !isNamed || excludesAll else { return nil }
        let texts = (isNamed ? places : names).map(\.name).sorted()
        let list = texts.prefix(10).map { "'\($0.excerpt())'" }.joined(separator: ", ")
        let unnamed = "neither the project nor an experience names"
        let name = "the environment '\(environment.excerpt(80))'"
        return EnvironmentWarning(
            excludesAll: excludesAll,
            description: isNamed
                ? "no experience runs in \(name); they run in \(list)"
                : runsThere
                    ? "\(unnamed) \(name), so only experiences that name none run there; the names are \(list)"
                    : "\(unnamed) \(name); they name \(list)",
            nearest: UnknownName("environment", environment, among: texts).nearest
                ?? texts.first { $0.hasPrefix(environment) })
    }

    /// The environments that the project declares or experiences name.
    package var environmentNames: [String] { environmentKeys.map(\.name).sorted() }

    private var environmentKeys: Set<PropertyKey> {
        let declared = ProjectConfig.Project.environmentNames(in: project.environments) ?? []
        var names = Set(declared.map { PropertyKey($0) })
        for experience in experiences {
            if case .only(let name) = experience.environment { names.insert(PropertyKey(name)) }
            for name in experience.environments { names.insert(PropertyKey(name)) }
        }
        return names
    }
}

extension ProjectConfig.Project {
    /// The names of environments that a project declares, as a list or as members; `nil` if it declares none.
    package static func environmentNames(in declared: JSValue?) -> [String]? {
        switch declared {
        case .array(let names): names.isEmpty ? nil : names.compactMap(\.stringValue)
        case .object(let members): members.isEmpty ? nil : members.map(\.key.name)
        default: nil
        }
    }
}
