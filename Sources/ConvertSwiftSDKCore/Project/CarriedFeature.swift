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
}
