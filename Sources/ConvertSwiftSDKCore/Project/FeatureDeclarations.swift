internal import ConvertECMAScript

/// The features that a config declares, indexed by the ids that variations refer to.
struct FeatureDeclarations: ~Copyable {
    private let features: [ProjectConfig.Feature]
    private var firstByID = EntityIndex()
    /// For the first declaration of each id the index of its last declaration, which counts.
    private var last: [Int]
    /// The variables of all declarations: the index of the declaration, and the variable's index in it.
    private var variables = Rows<(declaration: Int32, place: Int32)>()
    /// Finds variables by declaration and key. If several variables have the same key, the first counts.
    private var index = HashIndex()

    /// Indexes declarations, in time linear to the number of declarations and variables.
    init(_ features: [ProjectConfig.Feature]) {
        self.features = features
        last = Array(features.indices)
        for declaration in features.indices {
            for (place, variable) in features[declaration].variables.enumerated()
            where self.place(of: variable.name, declaredAt: declaration) == nil {
                index.insert(variables.count, hash: Self.hash(variable.name, declaration))
                variables.append((Int32(truncatingIfNeeded: declaration), Int32(truncatingIfNeeded: place)))
            }
        }
        for index in features.indices { last[firstByID.insert(features[index].id.key, at: index)] = index }
    }

    /// Index of the declaration with an id; `nil` if the id is not declared.
    subscript(id: PropertyKey) -> Int? { firstByID[id].map { last[$0] } }

    /// The declarations that count, in the order of the keys of a JavaScript object with their ids as keys.
    var inOrderOfKeys: [Int] {
        let firsts = features.indices.filter { firstByID[features[$0].id.key] == $0 }
        return ECMAScript.ownPropertyKeyOrder(firsts.map { features[$0].id.text }).map { last[firsts[$0]] }
    }

    /// The type to cast a variable to; `nil` if the variable is not declared, or has an unknown type.
    func type(of variable: PropertyKey, declaredAt index: Int) -> VariableType? {
        place(of: variable, declaredAt: index).flatMap { features[index].variables[$0].type }.flatMap(VariableType.init)
    }

    private func place(of variable: PropertyKey, declaredAt declaration: Int) -> Int? {
        let found = index.place(hash: Self.hash(variable, declaration)) { index in
            let known = variables[index]
            return known.declaration == declaration
                && features[declaration].variables[Int(known.place)].name == variable
        }
        return found.map { Int(variables[$0].place) }
    }

    private static func hash(_ variable: PropertyKey, _ declaration: Int) -> UInt32 {
        variable.hash ^ UInt32(truncatingIfNeeded: declaration) &* 0x9E37_79B1
    }
}
