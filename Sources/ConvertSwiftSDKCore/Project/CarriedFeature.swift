internal import ConvertECMAScript

/// A feature that a variation carries. Its variables are cast once, when the project is compiled.
struct CarriedFeature: Sendable {
    /// The feature's id, as text.
    let id: PropertyKey
    /// Index of the feature's declaration in the config; the last one if several have the id, as in the reference.
    let declaration: Int?
    /// The variables as the config has them; `nil` if the change has no variables.
    let variables: JSValue?
    /// The variables cast to their declared types.
    let castVariables: JSValue?
}
