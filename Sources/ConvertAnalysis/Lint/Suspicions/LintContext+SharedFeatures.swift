internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Features that one visitor gets from two experiences.
extension LintContext {
    /// How many pairs of experiences are tried for one feature.
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

    /// That no attribute of which a list is asked is a list itself, as the text `de|fr` is.
    private func unlisted(in formula: Formula) -> [Formula] {
        switch formula {
        case .all(let parts), .any(let parts): return parts.flatMap(unlisted)
        case .literal(let literal):
            guard case .condition(let number, let scope) = literal.proposition else { return [] }
            guard pool[number].operation == .isIn else { return [] }
            return [pool.formula(of: pool[number].condition.comparing("contains", "|"), scope).negated]
        }
    }

    /// A new visitor who gets a variation of both in a call for all experiences. No array or object is tried, because
    /// one such as `["de", "fr"]` meets conditions that exclude each other.
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
