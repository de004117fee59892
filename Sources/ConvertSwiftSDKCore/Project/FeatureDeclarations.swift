internal import ConvertECMAScript

/// The features that a config declares, by the ids under which variations carry them.
struct FeatureDeclarations {
    private let features: [Feature]
    private var firstByID = EntityIndex()
    /// For the first declaration of an id the last one, which counts.
    private var last: [Int]
    /// For each declaration its variables by key; of one key the first one counts.
    private let variables: [EntityIndex]

    /// Indexes declarations, in time linear to them and their variables.
    init(_ features: [Feature]) {
        self.features = features
        last = Array(features.indices)
        variables = features.indices.map { index in
            var names = EntityIndex()
            for place in features[index].variables.indices {
                names.insert(features[index].variables[place].name, at: place)
            }
            return names
        }
        for index in features.indices { last[firstByID.insert(features[index].id.key, at: index)] = index }
    }

    /// Index of the declaration of an id; `nil` if it is not declared.
    subscript(id: PropertyKey) -> Int? { firstByID[id].map { last[$0] } }

    /// The declarations that count, in the order that JavaScript gives an object whose keys are their ids.
    var inOrderOfKeys: [Int] {
        let firsts = features.indices.filter { firstByID[features[$0].id.key] == $0 }
        return ECMAScript.ownPropertyKeyOrder(firsts.map { features[$0].id.text }).map { last[firsts[$0]] }
    }

    /// The type to cast a variable to; `nil` if it is not declared, or of an unknown type.
    func type(of variable: PropertyKey, declaredAt index: Int) -> VariableType? {
        variables[index][variable].flatMap { features[index].variables[$0].type }.flatMap(VariableType.init)
    }
}
