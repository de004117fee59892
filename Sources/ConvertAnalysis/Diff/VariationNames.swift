internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The variations of an experience whose key changed.
struct VariationNames {
    /// The renamings, in the order of the new config.
    private(set) var renamings: [ConfigDifference.Renaming] = []
    private var newNames: [PropertyKey: PropertyKey] = [:]

    /// A variation does not count as renamed if another one had its new key or has its old key.
    init(_ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?) {
        guard let before, let after, before.id.key == after.id.key else { return }
        let oldNames = Set(before.variations.map(\.answer))
        let names = Set(after.variations.map(\.answer))
        let oldOnes = Dictionary(firstOf: before.variations.compactMap { old in old.id.map { ($0.key, old) } })
        for variation in after.variations {
            guard let id = variation.id?.key, let old = oldOnes[id],
                !oldNames.contains(variation.answer), !names.contains(old.answer), newNames[old.answer] == nil
            else { continue }
            newNames[old.answer] = variation.answer
            renamings.append(ConfigDifference.Renaming(from: old.answer.name, to: variation.answer.name))
        }
    }

    /// The new name of an old variation.
    func name(_ old: PropertyKey) -> PropertyKey { newNames[old] ?? old }
}

extension ProjectConfig.Variation {
    /// The name that identifies the variation to its visitors: the key, or else the id.
    var answer: PropertyKey { PropertyKey(key ?? id?.text ?? "") }
}
