internal import ConvertECMAScript

/// Reads the features that variations carry. Changes that share their data share what is made of it.
struct CarriedFeatureReader {
    /// The declaration of each id among the config's features.
    private let declarations: [PropertyKey: Int]
    /// For each declaration the types of its variables.
    private let types: [JSObject]
    private var casting: VariableCasting
    /// What was made of data, by its identity, with the room that casting it took.
    private var known: [UInt: (feature: CarriedFeature, room: Int)] = [:]

    init(_ features: [Feature], declarations: [PropertyKey: Int], casting: VariableCasting) {
        self.declarations = declarations
        self.casting = casting
        types = features.map(Self.types)
    }

    /// Whether some JSON was left as text because there was no more room.
    var isExhausted: Bool { casting.isExhausted }

    /// The features that the changes of `variation` carry, in order.
    mutating func features(of variation: Variation) -> [CarriedFeature] {
        var features: [CarriedFeature] = []
        for change in variation.changes where change.type == "fullStackFeature" {
            if let data = change.data, let feature = feature(of: data) { features.append(feature) }
        }
        return features
    }

    private mutating func feature(of data: JSValue) -> CarriedFeature? {
        if let known = data.identity.flatMap({ known[$0] }), casting.take(known.room) { return known.feature }
        guard let object = data.objectValue, let id = EntityID(onWire: object["feature_id"]), id.isTruthy else {
            return nil
        }
        let room = casting.room
        let declaration = declarations[id.key]
        let variables = object["variables_data"]
        let feature = CarriedFeature(
            id: id.key, declaration: declaration, variables: variables,
            castVariables: cast(variables, declaration.map { types[$0] }))
        if let identity = data.identity, !isExhausted { known[identity] = (feature, room - casting.room) }
        return feature
    }

    /// The declared types of a feature's variables, by key; of one key the first declaration counts.
    private static func types(of feature: Feature) -> JSObject {
        JSObject(feature.variables.reversed().map { ($0.key, .string($0.type ?? "")) })
    }

    private mutating func cast(_ variables: JSValue?, _ types: JSObject?) -> JSValue? {
        guard case .object(var object)? = variables, let types else { return variables }
        var isChanged = false
        for member in object {
            // A variable that is not declared, or of an unknown type, stays as it is.
            guard let type = types[member.key]?.stringValue.flatMap(VariableType.init), !type.keeps(member.value)
            else { continue }
            object[member.key] = casting.cast(member.value, to: type)
            isChanged = true
        }
        return isChanged ? .object(object) : variables
    }
}
