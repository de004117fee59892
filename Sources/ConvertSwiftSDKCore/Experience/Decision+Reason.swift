extension Decision {
    /// Why a visitor sees no variation. Its encoded form is the case name. More reasons may be added.
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
        /// The call has no location properties, and `RuleSemantics.javaScript` requires them.
        case missingLocationProperties
        /// No attached location matches, or the site area does not match.
        case locationNotMatched
        /// The attached audiences do not match.
        case audienceNotMatched
        /// The visitor is in none of the attached segments.
        case segmentNotMatched
        /// The experience has no variations.
        case noVariations
        /// No arm contains the bucket value (`convert.com_variation_not_decided` in the JavaScript SDK).
        case notBucketed
        /// The selected variation is not in the config. The decision is stored and tracked all the same, as in the
        /// JavaScript SDK.
        case variationNotFound
        /// Rule data needs more data to answer (`convert.com_need_more_data` in the JavaScript SDK).
        case needMoreData
        /// Rule data has no data to answer with (`convert.com_no_data_found` in the JavaScript SDK).
        case noDataFound
        /// The rules have a `null` instead of an object, or the visitor's stored custom segments are neither a list nor
        /// text. The JavaScript SDK throws here.
        case malformedRules
        /// The experience has no `settings.matching_options` although audiences are to be checked. The JavaScript SDK
        /// throws here.
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

        /// Whether the rule data had no answer.
        var isMissingData: Bool { self == .needMoreData || self == .noDataFound }

        /// Whether the JavaScript SDK throws instead of answering.
        package var isThrownByReference: Bool { self == .malformedRules || self == .missingSettings }
    }
}
