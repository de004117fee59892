internal import ConvertECMAScript

/// A feature that a variation carries. Its variables are cast once, when the project is compiled.
struct CarriedFeature: Sendable {
    let id: PropertyKey
    /// Index of the feature's declaration in the config; `nil` if the id is not declared. If several declarations have
    /// the id, the last counts, as in the reference.
    let declaration: Int?
    /// The variables as in the config; `nil` if the change has no variables.
    let variables: JSValue?
    let castVariables: JSValue?
}
