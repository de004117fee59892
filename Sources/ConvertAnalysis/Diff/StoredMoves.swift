internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The changes for visitors with a stored decision that do not depend on bucket values.
struct StoredMoves {
    /// Variations whose stored decisions are lost.
    private(set) var lost: [ConfigDifference.LostDecisions] = []
    /// The moves of visitors whose stored decision names a variation that no new visitor got.
    private(set) var undealt: [ConfigDifference.UndealtMove] = []

    init(_ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?, under semantics: RuleSemantics) {
        guard let before, let after else { return }
        let places = VariationIndex(before, under: semantics)
        // An experience with another id finds no stored decisions.
        let newPlaces = before.id.key == after.id.key ? VariationIndex(after, under: semantics) : nil
        let newOnes = Dictionary(firstOf: after.variations.map { ($0.answer, $0) })
        let runs = BucketRuns(before, under: semantics)
        let names = VariationNames(before, after)
        for (place, variation) in before.variations.enumerated() {
            guard let id = variation.id, let found = places[id.key] else { continue }
            let kept = newPlaces?[id.key].map { after.variations[$0].answer }
            if kept == nil {
                lost.append(
                    ConfigDifference.LostDecisions(
                        variation: variation.answer.name, id: id.text, newID: newOnes[variation.answer]?.id?.text))
            }
            guard found == place, runs.isUnreachable(place), names.name(variation.answer) != kept else { continue }
            undealt.append(ConfigDifference.UndealtMove(from: variation.answer.name, to: kept?.name))
        }
    }
}
