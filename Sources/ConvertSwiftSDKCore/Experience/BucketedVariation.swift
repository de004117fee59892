/// The variation that a visitor sees: ids, keys, names, and the source of the decision.
///
/// The value keeps no reference to the config, so an app may hold, compare and store it. To read more about the
/// variation, look up its ids in `ConvertContext.config`.
public struct BucketedVariation: Sendable, Hashable, Codable {
    /// The source of a decision.
    public enum Source: String, Sendable, Codable {
        /// The bucket value selected the variation.
        case bucketed
        /// The decision was stored earlier.
        case stored
        /// The caller forced the variation.
        case forced
        /// The visitor is previewing the variation.
        case preview
    }

    /// The experience's id.
    public let experienceID: String

    /// The experience's key; empty if the config has no key for it.
    public let experienceKey: String

    /// The experience's display name, or `nil` if the config has no name for it.
    public let experienceName: String?

    /// The variation's id.
    public let variationID: String

    /// The variation's key, or `nil` if the config has no key for it.
    public let variationKey: String?

    /// The variation's display name, or `nil` if the config has no name for it.
    public let variationName: String?

    /// The source of the decision.
    public let source: Source

    /// The visitor's bucket value, in `0 ..< maxTraffic`. `nil` for a stored or previewed variation, and for a forced
    /// variation if no arm contains the value.
    public let bucketingAllocation: Int?

    private enum CodingKeys: String, CodingKey {
        case experienceID = "experienceId"
        case experienceKey, experienceName
        case variationID = "variationId"
        case variationKey, variationName, source, bucketingAllocation
    }
}

extension BucketedVariation {
    /// Creates a variation, for tests of code that uses decisions without an SDK. An id that is `nil` means the key.
    public init(
        experienceKey: String, variationKey: String, experienceID: String? = nil, variationID: String? = nil,
        source: Source = .bucketed, bucketingAllocation: Int? = nil, experienceName: String? = nil,
        variationName: String? = nil
    ) {
        self.init(
            experienceID: experienceID ?? experienceKey, experienceKey: experienceKey, experienceName: experienceName,
            variationID: variationID ?? variationKey, variationKey: variationKey, variationName: variationName,
            source: source, bucketingAllocation: bucketingAllocation)
    }

    /// Creates the variation that `selection` refers to in `project`.
    package init(_ selection: Selection, in project: borrowing Project) {
        let (experience, owner) = (selection.experience, project.experiences[selection.experience].idOwner)
        // Keep each read in place, and read a computed member such as `entityKey` last: otherwise Swift 6.3.1 copies
        // whole models, which is slow (W1, W1x2).
        experienceID = project.config.experiences[experience].id.text
        experienceKey = project.config.experiences[experience].entityKey.text ?? ""
        experienceName = project.config.experiences[experience].name
        variationName = project.config.experiences[owner].variations[selection.variation].name
        variationID = project.config.experiences[owner].variations[selection.variation].id?.text ?? ""
        variationKey = project.config.experiences[owner].variations[selection.variation].entityKey.text
        source = selection.source
        bucketingAllocation = selection.bucketValue
    }
}

extension BucketedVariation: CustomStringConvertible {
    /// The keys of the experience and the variation, and the source of the decision.
    public var description: String {
        "BucketedVariation(experience: \(experienceKey), variation: \(variationKey ?? variationID), \(source))"
    }
}
