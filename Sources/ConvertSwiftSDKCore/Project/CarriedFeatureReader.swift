internal import ConvertECMAScript

/// Reads the features that variations carry. Changes that share their data share the result.
struct CarriedFeatureReader: ~Copyable {
    let declarations: FeatureDeclarations
    /// The features, ordered by variation.
    private(set) var features: [CarriedFeature] = []
    /// For each experience the ranges in `features` of its variations; empty if no variation carries a feature.
    private(set) var ranges: [[TableRange]] = []
    /// For each id the experiences whose variations carry the feature.
    private(set) var carriers: [PropertyKey: [Int32]] = [:]
    private var casting: VariableCasting
    /// The feature that was read from each data value, by the data's identity, and the number of JSON values that
    /// casting it counted.
    private var known: [UInt: (feature: CarriedFeature, room: Int)] = [:]

    init(_ declarations: FeatureDeclarations, casting: VariableCasting) {
        self.declarations = declarations
        self.casting = casting
    }

    /// Whether some JSON stayed text because the limit was reached.
    var isExhausted: Bool { casting.isExhausted }

    /// Reads the features in the variations of the experience at `index`. Experiences must be read in order.
    mutating func readFeatures(of variations: [ProjectConfig.Variation], at index: Int) {
        let first = features.count
        var ranges: [TableRange] = []
        for variation in variations {
            let start = features.count
            for change in variation.changes where change.type == "fullStackFeature" {
                if let data = change.data, let feature = feature(of: data) { features.append(feature) }
            }
            ranges.append(TableRange(start: start, count: features.count - start))
        }
        self.ranges.append(features.count == first ? [] : ranges)
        let carrier = Int32(truncatingIfNeeded: index)
        for id in features[first...].map(\.id) where carriers[id]?.last != carrier {
            carriers[id, default: []].append(carrier)
        }
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
            castVariables: cast(variables, declaration))
        if let identity = data.identity, !isExhausted { known[identity] = (feature, room - casting.room) }
        return feature
    }

    private mutating func cast(_ variables: JSValue?, _ declaration: Int?) -> JSValue? {
        guard case .object(var object)? = variables, let declaration else { return variables }
        var isChanged = false
        for member in object {
            // A variable that is not declared, or has an unknown type, stays unchanged.
            guard let type = declarations.type(of: member.key, declaredAt: declaration), !type.keeps(member.value)
            else { continue }
            object[member.key] = casting.cast(member.value, to: type)
            isChanged = true
        }
        return isChanged ? .object(object) : variables
    }
}
