package import ConvertECMAScript

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

    @usableFromInline let selection: Selection
    /// Besides it only numbers: a decision counts one reference, and one that few threads share.
    @usableFromInline let share: ProjectHandle

    @inlinable @inline(__always)
    init(_ selection: Selection, share: ProjectHandle) {
        self.selection = selection
        self.share = share
    }

    /// Where the decision came from.
    public var source: Source { selection.source }

    /// The visitor's bucket value, in `0 ..< maxTraffic`; `nil` for a stored decision, and for a forced one if the value
    /// falls outside of every arm.
    public var bucketingAllocation: Int? {
        share.madeBucketValue ?? selection.bucketValue(by: share.project.bucketing)
    }

    /// The experience.
    public var experience: Experience { share.project.model(Int(selection.experience)) }

    /// The variation.
    public var variation: Variation { withVariation { copy $0 } }

    /// The variation's id.
    public var variationID: String { withVariation { $0.id?.text ?? "" } }

    /// The variation's key, or `nil` if the config gives it none.
    public var variationKey: String? { withVariation { $0.key } }

    /// Index of the variation among those of the first experience with the experience's id.
    package var variationIndex: Int { Int(selection.variation) }

    /// The experience's id.
    public var experienceID: String { withExperience(Int(selection.experience)) { $0.id.text } }

    /// The experience's key; empty if the config gives it none.
    public var experienceKey: String { withExperience(Int(selection.experience)) { $0.key ?? "" } }

    /// The experience's id as the config has it.
    package var experienceIDValue: JSValue { withExperience(Int(selection.experience)) { $0.id.value } }

    /// The experience's key as the config has it; `nil` if it is missing.
    package var experienceKeyValue: JSValue? { withExperience(Int(selection.experience)) { $0.entityKey.value } }

    /// The variation's id as the config has it.
    package var variationIDValue: JSValue? { withVariation { $0.id?.value } }

    /// The variation's key as the config has it; `nil` if it is missing.
    package var variationKeyValue: JSValue? { withVariation { $0.entityKey.value } }

    // Both are inlined, or the models are copied for each question.
    @inline(__always)
    private func withVariation<Result>(_ body: (borrowing Variation) -> Result) -> Result {
        withExperience(share.project.experiences[Int(selection.experience)].idOwner) { experience in
            experience.variations.withUnsafeBufferPointer { body($0[Int(selection.variation)]) }
        }
    }

    /// Lends the model where it lies, because a copy counts a dozen references.
    @inline(__always)
    private func withExperience<Result>(_ index: Int, _ body: (borrowing Experience) -> Result) -> Result {
        share.project.config.experiences.withUnsafeBufferPointer { body($0[index]) }
    }
}
