internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds an experience's variations by their ids as the engine does, in constant time for ids that are text.
struct VariationIndex {
    private let experience: ProjectConfig.Experience
    private let semantics: RuleSemantics
    private let firstPlaces: [PropertyKey: Int]

    init(_ experience: ProjectConfig.Experience, under semantics: RuleSemantics) {
        self.experience = experience
        self.semantics = semantics
        firstPlaces = Dictionary(
            firstOf: experience.variations.enumerated().compactMap { place, variation in
                variation.id.map { ($0.key, place) }
            })
    }

    /// The index of the variation that a look-up finds.
    subscript(id: PropertyKey) -> Int? {
        guard let place = firstPlaces[id] else { return nil }
        // A look-up may skip ids of other kinds.
        if experience.variations[place].id?.kind == .text { return place }
        return experience.variation(id: id, under: semantics)
    }
}
