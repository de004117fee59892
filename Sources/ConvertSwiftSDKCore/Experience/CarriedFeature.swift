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

    /// The members of `variables` and of `castVariables`; none if those are no object. Apart from them, because taking them
    /// out counts references.
    let members: FrozenObject.View
    let castMembers: FrozenObject.View
    /// What owns the two.
    private let owners: (FrozenObject, FrozenObject)

    /// The features that the changes of `variation` carry, in order.
    static func all(in variation: Variation, _ declarations: [PropertyKey: Int], _ types: [JSObject])
        -> [CarriedFeature]
    {
        variation.changes.compactMap { change in
            guard change.type == "fullStackFeature", let data = change.data?.objectValue,
                let id = EntityID(data["feature_id"]), id.isTruthy
            else { return nil }
            let declaration = declarations[id.key]
            let variables = data["variables_data"]
            let castVariables = cast(variables, declaration.map { types[$0] })
            let owners = (
                FrozenObject(variables?.objectValue ?? JSObject()),
                FrozenObject(castVariables?.objectValue ?? JSObject())
            )
            return CarriedFeature(
                id: id.key, declaration: declaration, variables: variables, castVariables: castVariables,
                members: owners.0.view, castMembers: owners.1.view, owners: owners)
        }
    }

    /// The declared types of a feature's variables, by key; of one key the first declaration counts.
    static func types(of feature: Feature) -> JSObject {
        JSObject(feature.variables.reversed().map { ($0.key, .string($0.type ?? "")) })
    }

    private static func cast(_ variables: JSValue?, _ types: JSObject?) -> JSValue? {
        guard case .object(let object)? = variables, let types else { return variables }
        return .object(
            object.mapValues { member in
                // A variable that is not declared, or of an unknown type, stays as it is.
                let type = types[member.key]?.stringValue.flatMap(VariableType.init)
                return type?.cast(member.value) ?? member.value
            })
    }
}
