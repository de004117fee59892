internal import ConvertECMAScript

/// The variations that a visitor gets before and after a change; `nil` stands for no variation.
struct VariationRoute: Hashable {
    let from: PropertyKey?
    let to: PropertyKey?

    /// Whether the variation stays the same.
    var isKept: Bool { from == to }
}
