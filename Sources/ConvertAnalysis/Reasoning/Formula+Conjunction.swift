extension Formula {
    /// The conjunction of `parts`, simplified: each part is reduced under the assumption that the others hold.
    ///
    /// Without this, the formulas of experiences that exclude all others before them would double in size with each
    /// experience.
    static func everyReduced(_ parts: [Formula]) -> Formula {
        guard parts.count > 1 else { return .every(parts) }
        var reduced = parts
        var facts = KnownFacts()
        let sizes = parts.map(\.literalCount)
        // Larger parts repeat smaller ones.
        for place in parts.indices.sorted(by: { (sizes[$0], $0) < (sizes[$1], $1) }) {
            reduced[place] = facts.reduced(parts[place])
            facts.insert(reduced[place])
        }
        return .every(reduced)
    }
}

/// Formulas that are assumed to hold.
private struct KnownFacts {
    /// The formulas by their hashes, which are computed from the hashes of their parts.
    private var formulas: [Int: [Formula]] = [:]

    /// The hashes of a formula and of its opposite.
    private struct Hashes {
        let own: Int
        let opposite: Int

        init(_ literal: Formula.Literal) {
            own = literal.hashValue
            opposite = Formula.Literal(proposition: literal.proposition, isWanted: !literal.isWanted).hashValue
        }

        init(isConjunction: Bool, _ parts: [Hashes]) {
            func combined(_ isConjunction: Bool, _ hashes: [Int]) -> Int {
                var hasher = Hasher()
                hasher.combine(isConjunction)
                hasher.combine(hashes)
                return hasher.finalize()
            }
            own = combined(isConjunction, parts.map(\.own))
            opposite = combined(!isConjunction, parts.map(\.opposite))
        }
    }

    /// Adds a formula that holds. All parts of a conjunction hold too.
    mutating func insert(_ formula: Formula) {
        formulas[hashes(of: formula).own, default: []].append(formula)
        guard case .all(let parts) = formula else { return }
        for part in parts { insert(part) }
    }

    private func hashes(of formula: Formula) -> Hashes {
        switch formula {
        case .literal(let literal): Hashes(literal)
        case .all(let parts): Hashes(isConjunction: true, parts.map(hashes))
        case .any(let parts): Hashes(isConjunction: false, parts.map(hashes))
        }
    }

    /// The formula without the parts whose truth is known.
    func reduced(_ formula: Formula) -> Formula { reducedWithHashes(formula).formula }

    private func reducedWithHashes(_ formula: Formula) -> (formula: Formula, hashes: Hashes) {
        let hashes: Hashes
        var reduced = formula
        switch formula {
        case .literal(let literal): hashes = Hashes(literal)
        case .all(let parts):
            let found = parts.map(reducedWithHashes)
            hashes = Hashes(isConjunction: true, found.map(\.hashes))
            reduced = .every(found.map(\.formula))
        case .any(let parts):
            let found = parts.map(reducedWithHashes)
            hashes = Hashes(isConjunction: false, found.map(\.hashes))
            reduced = .some(found.map(\.formula))
        }
        if formulas[hashes.own]?.contains(formula) ?? false { return (.holds, hashes) }
        if let facts = formulas[hashes.opposite], facts.contains(formula.negated) { return (.fails, hashes) }
        return (reduced, hashes)
    }
}
