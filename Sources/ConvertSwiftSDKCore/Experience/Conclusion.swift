/// What came of the gates and of the selection: numbers only, which pass in registers (W2).
@usableFromInline
enum Conclusion: Sendable {
    case variation(Selection)
    case none(Decision.Reason)
}

/// A variation that was decided on.
@usableFromInline
struct Selection: Sendable {
    let experience: Int32
    /// Index of the first experience with the experience's id.
    let owner: Int32
    /// Index of the variation among the owner's.
    let variation: Int32
    let source: BucketedVariation.Source
    let bucketingAllocation: Int?

    init(
        experience: Int, owner: Int, variation: Int, source: BucketedVariation.Source, bucketingAllocation: Int? = nil
    ) {
        self.experience = Int32(truncatingIfNeeded: experience)
        self.owner = Int32(truncatingIfNeeded: owner)
        self.variation = Int32(truncatingIfNeeded: variation)
        self.source = source
        self.bucketingAllocation = bucketingAllocation
    }
}
