/// The variation that a visitor sees: ids, keys and names, and where the decision came from.
///
/// It keeps nothing of the config, so an app may hold, compare and store it. What else the config has about the variation is
/// found by these ids in `ConvertContext.config`.
public struct BucketedVariation: Sendable, Hashable, Codable {
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

    /// The experience's id.
    public let experienceID: String

    /// The experience's key; empty if the config gives it none.
    public let experienceKey: String

    /// The name people gave the experience, if there is one.
    public let experienceName: String?

    /// The variation's id.
    public let variationID: String

    /// The variation's key, or `nil` if the config gives it none.
    public let variationKey: String?

    /// The name people gave the variation, if there is one.
    public let variationName: String?

    /// Where the decision came from.
    public let source: Source

    /// The visitor's bucket value, in `0 ..< maxTraffic`; `nil` for a stored decision, and for a forced one if the value
    /// falls outside of every arm.
    public let bucketingAllocation: Int?

    private enum CodingKeys: String, CodingKey {
        case experienceID = "experienceId"
        case experienceKey, experienceName
        case variationID = "variationId"
        case variationKey, variationName, source, bucketingAllocation
    }

    /// A variation as a decision gives it, for code that is tested without an SDK.
    ///
    /// - Parameters:
    ///   - experienceKey: the experience's key.
    ///   - variationKey: the variation's key.
    ///   - experienceID: the experience's id; `nil` means its key.
    ///   - variationID: the variation's id; `nil` means its key.
    ///   - source: where the decision came from.
    ///   - bucketingAllocation: the visitor's bucket value.
    ///   - experienceName: the name people gave the experience.
    ///   - variationName: the name people gave the variation.
    public init(
        experienceKey: String, variationKey: String, experienceID: String? = nil, variationID: String? = nil,
        source: Source = .bucketed, bucketingAllocation: Int? = nil, experienceName: String? = nil,
        variationName: String? = nil
    ) {
        self.experienceID = experienceID ?? experienceKey
        self.experienceKey = experienceKey
        self.experienceName = experienceName
        self.variationID = variationID ?? variationKey
        self.variationKey = variationKey
        self.variationName = variationName
        self.source = source
        self.bucketingAllocation = bucketingAllocation
    }
}

extension BucketedVariation {
    /// What `selection` stands for in `project`, which an initializer would count a reference of if it were not borrowed (W1).
    package init(_ selection: Selection, in project: borrowing Project) {
        let (experience, owner) = (selection.experience, project.experiences[selection.experience].idOwner)
        // Each member is read where it lies: a model holds a dozen references, and so does a list that is kept (W1, W1x2).
        // In this order: Swift 6.3.1 copies all of the last model of which a stored member is read, and not a computed one.
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
    /// The keys of experience and variation, and where the decision came from.
    public var description: String {
        "BucketedVariation(experience: \(experienceKey), variation: \(variationKey ?? variationID), \(source))"
    }
}
