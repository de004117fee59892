internal import ConvertECMAScript

/// The features that a config declares, indexed by the ids that variations refer to.
struct FeatureDeclarations {
    /// For each id the index of its last declaration, which counts.
    private var last: [PropertyKey: Int] = [:]
    /// The ids, in the order of their first declarations.
    private var ids: [PropertyKey] = []
    /// For each declaration its variables' types; `nil` for an unknown type. Of several variables with one key, the
    /// first counts.
    private let types: [[PropertyKey: VariableType?]]

    /// Indexes declarations, in time linear to the number of declarations and variables.
    init(_ features: [ProjectConfig.Feature]) {
        types = features.map { feature in
            let types = feature.variables.map { ($0.name, $0.type.flatMap(VariableType.init)) }
            return Dictionary(types, uniquingKeysWith: { first, _ in first })
        }
        for (index, feature) in features.enumerated() {
            if last.updateValue(index, forKey: feature.id.key) == nil { ids.append(feature.id.key) }
        }
    }

    /// Index of the declaration with an id; `nil` if the id is not declared.
    subscript(id: PropertyKey) -> Int? { last[id] }

    /// The declarations that count, in the order of the keys of a JavaScript object with their ids as keys.
    var inOrderOfKeys: [Int] { ECMAScript.ownPropertyKeyOrder(ids.map(\.text)).compactMap { last[ids[$0]] } }

    /// The type to cast a variable to; `nil` if the variable is not declared, or has an unknown type.
    func type(of variable: PropertyKey, declaredAt index: Int) -> VariableType? { types[index][variable] ?? nil }
}
