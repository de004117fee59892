/// What came of the gates and of the selection: two words of numbers, which pass in registers (W1, W2).
@usableFromInline
enum Conclusion: Sendable {
    case variation(Selection)
    case none(Decision.Reason)
}

/// A variation that was decided on.
@usableFromInline
struct Selection: Sendable {
    let experience: Int32
    /// Index of the variation among those of the first experience with the experience's id.
    let variation: Int32
    private let hash: UInt32
    private let isHashed: Bool
    let source: BucketedVariation.Source

    /// - Parameter hash: the visitor's in the experience, if it tells an arm. What it is scaled to would take twice the room.
    init(experience: Int, variation: Int, source: BucketedVariation.Source, hash: UInt32? = nil) {
        self.experience = Int32(truncatingIfNeeded: experience)
        self.variation = Int32(truncatingIfNeeded: variation)
        self.hash = hash ?? 0
        isHashed = hash != nil
        self.source = source
    }

    /// The visitor's bucket value, if it tells an arm.
    func bucketValue(by bucketing: BucketingManager) -> Int? { isHashed ? bucketing.bucketValue(of: hash) : nil }
}
