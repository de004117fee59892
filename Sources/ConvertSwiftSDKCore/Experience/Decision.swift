/// The decision for a visitor in one experience. The value keeps no reference to the config.
public struct Decision: Sendable, Hashable {
    /// The variation, or why no variation was selected.
    public enum Outcome: Sendable, Hashable {
        /// The visitor sees a variation.
        case variation(BucketedVariation)
        /// The visitor sees no variation.
        case none(Reason)
    }

    // Invariant: exactly one of `variation` and `reason` is `nil`. They are not an enum, because Swift would copy the
    // whole enum to read either (W1).
    /// The variation, or `nil` if no variation was selected.
    public let variation: BucketedVariation?

    /// Why no variation was selected, or `nil` if a variation was selected.
    public let reason: Reason?

    /// The variation, or why no variation was selected.
    public var outcome: Outcome {
        variation.map(Outcome.variation) ?? .none(reason ?? .variationNotFound)
    }

    /// Creates a decision for `variation`.
    public init(_ variation: BucketedVariation) { (self.variation, reason) = (variation, nil) }

    /// Creates a decision without a variation.
    public init(reason: Reason) { (variation, self.reason) = (nil, reason) }

    /// Creates the decision that `conclusion` refers to in `project`.
    package init(_ conclusion: Conclusion, in project: borrowing Project) {
        switch conclusion {
        case .variation(let selection): self.init(BucketedVariation(selection, in: project))
        case .none(let reason): self.init(reason: reason)
        }
    }
}

extension Decision: Codable {
    /// Decodes an object with a `variation` or a `reason`, as it is encoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let variation = try container.decodeIfPresent(BucketedVariation.self, forKey: .variation) {
            self.init(variation)
        } else {
            self.init(reason: try container.decode(Reason.self, forKey: .reason))
        }
    }
}

extension Decision: CustomStringConvertible {
    /// The keys of the experience and the variation with the source of the decision, or why there is no variation.
    public var description: String {
        switch outcome {
        case .variation(let variation):
            "Decision(experience: \(variation.experienceKey), "
                + "variation: \(variation.variationKey ?? variation.variationID), \(variation.source))"
        case .none(let reason): "Decision(no variation: \(reason))"
        }
    }
}
