package import ConvertECMAScript

extension ProjectConfig.Experience {
    /// Index of the first variation with the id. Variations whose id is a number are found only if `semantics` find
    /// them.
    package func variation(id: PropertyKey, under semantics: RuleSemantics) -> Int? {
        let numericIDs = semantics.findsNumericVariationIDs
        return variations.firstIndex { $0.id.map { $0.key == id && $0.isFound(numericIDs: numericIDs) } ?? false }
    }
}

extension [ProjectConfig.Variation] {
    /// Whether there are at most 8 variations and their ids are unique, so that a look-up by id finds each variation
    /// itself.
    func haveUniqueIDs(numericIDs: Bool) -> Bool {
        guard count <= 8 else { return false }
        for index in indices {
            guard let id = self[index].id, id.isFound(numericIDs: numericIDs) else { return false }
            for earlier in 0..<index where self[earlier].id?.key == id.key { return false }
        }
        return true
    }

    /// For each id the index of the variation that a look-up by id finds.
    func index(numericIDs: Bool) -> [PropertyKey: Int] {
        var index: [PropertyKey: Int] = [:]
        for (place, variation) in enumerated() {
            if let id = variation.id, id.isFound(numericIDs: numericIDs), index[id.key] == nil { index[id.key] = place }
        }
        return index
    }
}

extension EntityID {
    /// Whether a look-up finds a variation with this id. The reference finds only text ids.
    fileprivate func isFound(numericIDs: Bool) -> Bool { kind == .text || (numericIDs && kind == .number) }
}
