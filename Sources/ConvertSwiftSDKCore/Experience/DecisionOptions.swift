public import ConvertECMAScript

/// What a caller can say about one decision, or one call that makes several.
public struct DecisionOptions: Sendable {
    /// The environment to decide in; `nil` or empty means the manager's.
    public var environment: String?

    /// Properties merged over the visitor's attributes for this call.
    public var visitorProperties: JSObject?

    /// Properties of where the visitor is. Without any nobody is eligible under ``RuleSemantics/javaScript``, not even in
    /// an experience that is not restricted; under the other semantics it is as if an empty set was given.
    public var locationProperties: JSObject?

    /// Whether locations and site areas are not looked at.
    public var ignoresLocationProperties = false

    /// Whether a new decision also stores all of the visitor's properties as segments.
    public var updatesVisitorProperties = false

    /// Id of the variation that the visitor shall see if the rules let them in. An unknown one is ignored.
    ///
    /// It is decided anew in place of what was stored: a forced variation other than the stored one replaces it and is
    /// reported, as far as storage and tracking are on; the stored one itself is answered as stored.
    public var forcedVariationID: String?

    /// Key of the variation that the visitor shall see, or else its id, as ``forcedVariationID`` says; that counts first.
    public var forcedVariation: String?

    /// Whether a new decision is reported.
    public var isTrackingEnabled = true

    /// Whether decisions and locations are stored. Location events are told in any case.
    public var isStorageEnabled = true

    /// Whether the call's listeners are told nothing of it; it is stored and reported all the same.
    public var suppressesEvents = false

    /// Answers audience rules in place of the visitor's properties.
    public var visitorData: (any RuleData)? { didSet { hasVisitorData = visitorData != nil } }

    /// Answers location rules in place of `locationProperties`.
    public var locationData: (any RuleData)? { didSet { hasLocationData = locationData != nil } }

    /// Whether there are data to answer rules. Kept apart, because asking the data copies them, which took a fifth of a
    /// decision.
    private(set) var hasVisitorData = false
    private(set) var hasLocationData = false

    /// Variations that visitors see whatever the gates say; `nil` but in tests of an app.
    package var forcedVariations: ForcedVariations? { didSet { isForcing = forcedVariations != nil } }
    private(set) var isForcing = false

    /// The defaults.
    public init() {}

    /// Options of a call; the others have their defaults.
    ///
    /// - Parameters:
    ///   - environment: the environment to decide in; `nil` means the SDK's.
    ///   - visitorProperties: properties merged over the visitor's attributes for this call.
    ///   - locationProperties: where the visitor is.
    ///   - forcedVariation: key of the variation that the visitor shall see if the rules let them in, or else its id.
    ///   - isTrackingEnabled: whether a new decision is reported.
    ///   - isStorageEnabled: whether decisions and locations are stored.
    ///   - suppressesEvents: whether listeners are told nothing.
    public init(
        environment: String? = nil, visitorProperties: JSObject? = nil, locationProperties: JSObject? = nil,
        forcedVariation: String? = nil, isTrackingEnabled: Bool = true, isStorageEnabled: Bool = true,
        suppressesEvents: Bool = false
    ) {
        self.environment = environment
        self.visitorProperties = visitorProperties
        self.locationProperties = locationProperties
        self.forcedVariation = forcedVariation
        self.isTrackingEnabled = isTrackingEnabled
        self.isStorageEnabled = isStorageEnabled
        self.suppressesEvents = suppressesEvents
    }
}
