extension Decision {
    /// Why a visitor sees no variation. Encoded it is its case's name.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: String, Sendable, Codable {
        /// The visitor's id is empty.
        case missingVisitorID
        /// The config has no experience with the key.
        case unknownExperience
        /// The experience is archived.
        case archived
        /// The experience runs in another environment.
        case otherEnvironment
        /// No location properties were given, though they decide under these semantics.
        case missingLocationProperties
        /// None of the attached locations matches, or the site area does not.
        case locationNotMatched
        /// The attached audiences do not match.
        case audienceNotMatched
        /// The visitor is in none of the attached segments.
        case segmentNotMatched
        /// The experience has no variations.
        case noVariations
        /// The bucket value falls outside of every arm (`convert.com_variation_not_decided` in the JavaScript SDK).
        case notBucketed
        /// The variation that was decided on is not in the config. The decision is stored and tracked all the same, as in the
        /// reference.
        case variationNotFound
        /// Rule data needs more data to answer (`convert.com_need_more_data` in the JavaScript SDK).
        case needMoreData
        /// Rule data has no data to answer with (`convert.com_no_data_found` in the JavaScript SDK).
        case noDataFound
        /// A `null` stands where rules need an object, or the visitor's stored custom segments are neither a list nor text; the
        /// reference throws.
        case malformedRules
        /// The experience has no `settings.matching_options` though audiences are to be checked; the reference throws.
        case missingSettings
        /// The SDK has no config yet.
        case sdkNotReady

        /// The JavaScript SDK's sentinel text, or `nil` where it answers `null` or throws.
        public var sentinel: String? {
            switch self {
            case .notBucketed: "convert.com_variation_not_decided"
            case .needMoreData: "convert.com_need_more_data"
            case .noDataFound: "convert.com_no_data_found"
            default: nil
            }
        }

        /// Whether rule data could not answer.
        var isMissingData: Bool { self == .needMoreData || self == .noDataFound }

        /// Whether the JavaScript SDK throws instead of answering.
        public var isThrownByReference: Bool { self == .malformedRules || self == .missingSettings }
    }
}
