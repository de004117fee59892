/// The variation that a visitor sees.
public struct BucketedVariation: Sendable {
    /// Where a decision came from.
    public enum Source: String, Sendable, Codable {
        /// The bucket value decided.
        case bucketed
        /// The decision was stored before.
        case stored
        /// The caller forced it.
        case forced
        /// The visitor previews it.
        case preview
    }

    /// Where the decision came from.
    public let source: Source

    /// The visitor's bucket value, in `0 ..< maxTraffic`; `nil` for a stored decision, and for a forced one if the value
    /// falls outside of every arm.
    public let bucketingAllocation: Int?

    /// Besides it only indices: a decision counts one reference, and one that few threads share.
    let share: ProjectHandle
    let experienceIndex: Int32
    /// Index of the experience whose variation it is: of several with one id the first.
    private let ownerIndex: Int32
    private let index: Int32

    @inline(__always)
    init(_ selection: Selection, share: ProjectHandle) {
        source = selection.source
        bucketingAllocation = selection.bucketingAllocation
        self.share = share
        experienceIndex = selection.experience
        ownerIndex = selection.owner
        index = selection.variation
    }

    /// The experience.
    public var experience: Experience { share.project.model(Int(experienceIndex)) }

    /// The variation.
    public var variation: Variation { withVariation { copy $0 } }

    /// The variation's id.
    public var variationID: String { withVariation { $0.id?.text ?? "" } }

    /// The variation's key, or `nil` if the config gives it none.
    public var variationKey: String? { withVariation { $0.key } }

    /// Index of the variation among those of the first experience with the experience's id.
    package var variationIndex: Int { Int(index) }

    /// Range of the features that the variation carries among the project's.
    var carriedFeatures: TableRange { share.project.features(ofVariation: Int(index), of: Int(ownerIndex)) }

    /// The experience's id.
    public var experienceID: String { withExperience(experienceIndex) { $0.id.text } }

    /// The experience's key; empty if the config gives it none.
    public var experienceKey: String { withExperience(experienceIndex) { $0.key ?? "" } }

    private func withVariation<Result>(_ body: (borrowing Variation) -> Result) -> Result {
        withExperience(ownerIndex) { experience in
            experience.variations.withUnsafeBufferPointer { body($0[Int(index)]) }
        }
    }

    /// Lends the model where it lies, because a copy counts a dozen references.
    private func withExperience<Result>(_ index: Int32, _ body: (borrowing Experience) -> Result) -> Result {
        share.project.config.experiences.withUnsafeBufferPointer { body($0[Int(index)]) }
    }
}
