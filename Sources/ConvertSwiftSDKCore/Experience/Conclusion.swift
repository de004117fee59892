/// The result of one experience for a visitor, as indices into the project: a compact ``Decision``.
package enum Conclusion: Sendable {
    case variation(Selection)
    case none(Decision.Reason)

    package var selection: Selection? {
        if case .variation(let selection) = self { selection } else { nil }
    }
}

/// The variation that was selected in an experience.
package struct Selection: Sendable {
    package let experience: Int
    /// Index of the variation among the variations of the first experience with the experience's id.
    package let variation: Int
    package let source: BucketedVariation.Source
    /// The visitor's bucket value; `nil` if no arm contains the value, or if the visitor was not hashed.
    package var bucketValue: Int?
}
