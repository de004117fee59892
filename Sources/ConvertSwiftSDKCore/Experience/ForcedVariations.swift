package import ConvertECMAScript

/// Variations that visitors see whatever the gates say: what tests of an app force.
package final class ForcedVariations: Sendable {
    /// Keys or ids of variations, by the keys of their experiences.
    package let byExperience: [PropertyKey: String]

    /// Nothing is forced.
    package static let none = ForcedVariations([:])

    /// The forced variations, keys or ids by the keys of their experiences.
    package init(_ byExperience: [PropertyKey: String]) { self.byExperience = byExperience }
}

extension Experience {
    /// Index of the variation with the key, or else with the id; only variations with an id count.
    package func variation(named name: String) -> Int? {
        variations.firstIndex { $0.id != nil && $0.key?.hasSameCodeUnits(as: name) ?? false }
            ?? variations.firstIndex { $0.id?.key == PropertyKey(name) }
    }
}

extension ExperienceManager {
    /// Index of the variation that is forced for the experience; `nil` if none is, or it has none such.
    @inline(__always)
    func forcedVariation(of experience: ExperienceRow, _ options: DecisionOptions) -> Int? {
        guard let forced = options.forcedVariations else { return nil }
        return forced.byExperience[project.model(experience.index).entityKey.lookUp].flatMap {
            project.model(experience.idOwner).variation(named: $0)
        }
    }
}
