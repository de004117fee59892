internal import ConvertECMAScript

/// A feature as a variation carries it, with its variables cast once.
struct CarriedFeature: Sendable {
    /// The feature's id, as text.
    let id: PropertyKey
    /// Index of its declaration in the config; of several with one id the last one counts, as in the reference.
    let declaration: Int?
    /// The variables as they stand in the config; `nil` if the change brings none.
    let variables: JSValue?
    /// The variables cast to their declared types.
    let castVariables: JSValue?
    /// The members of `variables` and of `castVariables`; none if those are no object.
    let members: JSObject
    let castMembers: JSObject

    private init(id: PropertyKey, declaration: Int?, variables: JSValue?, castVariables: JSValue?) {
        self.id = id
        self.declaration = declaration
        self.variables = variables
        self.castVariables = castVariables
        members = variables?.objectValue ?? JSObject()
        castMembers = castVariables?.objectValue ?? JSObject()
    }

    /// The features that the changes of `variation` carry, in order.
    static func all(
        in variation: Variation, _ declarations: [PropertyKey: Int], _ types: [JSObject],
        castBy casting: inout VariableCasting
    ) -> [CarriedFeature] {
        var features: [CarriedFeature] = []
        for change in variation.changes where change.type == "fullStackFeature" {
            guard let data = change.data?.objectValue, let id = EntityID(onWire: data["feature_id"]), id.isTruthy else {
                continue
            }
            let declaration = declarations[id.key]
            let variables = data["variables_data"]
            features.append(
                CarriedFeature(
                    id: id.key, declaration: declaration, variables: variables,
                    castVariables: cast(variables, declaration.map { types[$0] }, by: &casting)))
        }
        return features
    }

    /// The declared types of a feature's variables, by key; of one key the first declaration counts.
    static func types(of feature: Feature) -> JSObject {
        JSObject(feature.variables.reversed().map { ($0.key, .string($0.type ?? "")) })
    }

    private static func cast(
        _ variables: JSValue?, _ types: JSObject?, by casting: inout VariableCasting
    ) -> JSValue? {
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

/// What is asked of a carried feature at each call, without a reference to count. Its views are used only while its project
/// lives, which holds the objects.
struct CarriedFeatureRow: Sendable, BitwiseCopyable {
    private let declarationIndex: Int32
    private let members: JSObject.View
    private let castMembers: JSObject.View

    init(_ feature: CarriedFeature) {
        declarationIndex = feature.declaration.map { Int32(truncatingIfNeeded: $0) } ?? -1
        members = feature.members.withView { $0 }
        castMembers = feature.castMembers.withView { $0 }
    }

    /// Index of its declaration in the config; `nil` if there is none.
    var declaration: Int? { declarationIndex < 0 ? nil : Int(declarationIndex) }

    /// The value of a variable; `nil` if there is none.
    func variable(_ name: String, isCast: Bool) -> JSValue? { (isCast ? castMembers : members).value(named: name) }
}
