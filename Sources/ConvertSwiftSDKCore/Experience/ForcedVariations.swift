package import ConvertECMAScript

/// Variations that an app's tests force: visitors see them regardless of all gates.
package final class ForcedVariations: Sendable {
    /// Keys or ids of variations, by the keys of their experiences.
    package let byExperience: [PropertyKey: String]

    /// Creates forced variations from keys or ids of variations, by the keys of their experiences.
    package init(_ byExperience: [PropertyKey: String]) { self.byExperience = byExperience }
}

extension ProjectConfig.Experience {
    /// Index of the variation with the key, or else with the id. Variations without an id are ignored.
    package func variation(named name: String) -> Int? {
        variations.firstIndex { $0.id != nil && $0.key?.hasSameCodeUnits(as: name) ?? false }
            ?? variations.firstIndex { $0.id?.key == PropertyKey(name) }
    }
}

extension ExperienceManager {
    /// Index of the variation that is forced for the experience; `nil` if there is no forced variation, or the
    /// experience does not have it.
    @inline(__always)
    func forcedVariation(of experience: ExperienceRow, _ options: DecisionOptions) -> Int? {
        guard let forced = options.forcedVariations else { return nil }
        return forced.byExperience[project.model(experience.index).entityKey.lookUp].flatMap {
            project.model(experience.idOwner).variation(named: $0)
        }
    }
}
