internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for features that a visitor gets from two experiences.
extension LintContext {
    /// The maximum number of pairs of experiences to try for one feature.
    private static let mostPairs = 12

    mutating func checkSharedFeatures() {
        var carriers: [PropertyKey: [ConfigDocument.Entity]] = [:]
        for experience in document[.experiences] where !document.isArchived(experience) {
            let changes = experience.variations.flatMap { $0.parts("changes") }
            for id in Set(changes.compactMap { $0.carried?.carriedFeatureID?.key }) {
                carriers[id, default: []].append(experience)
            }
        }
        for feature in document[.features] {
            guard let id = feature.id, let experiences = carriers[id.key], experiences.count > 1 else { continue }
            var pairs = 0
            for (place, second) in experiences.enumerated() {
                for first in experiences.prefix(place) where pairs < Self.mostPairs && suspicionWork > 0 {
                    pairs += 1
                    guard let witness = visitor(of: first, and: second) else { continue }
                    add(
                        .sharedFeature, at: second.path + ".variations",
                        "\(second.name) and \(first.name) carry \(feature.name), and one visitor gets both: which "
                            + "variables count depends on the call.",
                        remedy: "Let one of them exclude visitors of the other, or use two features.",
                        witness: witness)
                    pairs = Self.mostPairs
                }
            }
        }
    }

    /// The conditions that no attribute in an `isIn` condition is itself a list, such as the text `de|fr`.
    private func unlisted(in formula: Formula) -> [Formula] {
        formula.literals.compactMap { literal in
            guard case .condition(let number, let scope) = literal.proposition, pool[number].operation == .isIn else {
                return nil
            }
            return pool.formula(of: pool[number].condition.comparing("contains", "|"), scope).negated
        }
    }

    /// A new visitor who gets a variation of both experiences in a call for all experiences. Arrays and objects are not
    /// tried, because a value such as `["de", "fr"]` meets conditions that exclude each other.
    private mutating func visitor(
        of first: ConfigDocument.Entity, and second: ConfigDocument.Entity
    ) -> PopulationVisitor? {
        guard let (one, other) = experience(of: first).flatMap({ one in experience(of: second).map { (one, $0) } })
        else {
            return nil
        }
        var formulas = [one, other].map { entrances.entry(of: $0, stored: .none).formula }
        formulas += formulas.flatMap(unlisted)
        let search = search
        let answer = pool.budget.spending(from: &suspicionWork) { search.run(formulas, kinds: .noContainers) }
        guard case .found(let model) = answer else { return nil }
        let trial = EngineTrial(project, environment: model.environment, budget: pool.budget)
        return trial.visitor(as: model, work: &decisionsLeft) { found in
            [one, other].allSatisfy { found[$0.id.key]?.variation != nil }
        }
    }
}
