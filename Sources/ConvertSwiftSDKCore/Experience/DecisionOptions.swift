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

    /// Id of the variation that the visitor sees if the rules let them in. An unknown one is ignored.
    ///
    /// It is decided anew in place of what was stored: a forced variation other than the stored one replaces it and is
    /// reported, as far as storage and tracking are on; the stored one itself is answered as stored.
    public var forcedVariationID: String?

    /// Key of the variation that the visitor sees, or else its id, as ``forcedVariationID`` says; that counts first.
    public var forcedVariation: String?

    /// Whether a new decision is reported.
    public var isTrackingEnabled = true

    /// Whether decisions and locations are stored. Listeners receive location events in any case.
    public var isStorageEnabled = true

    /// Whether listeners receive no events of this call; it is stored and reported all the same.
    public var suppressesEvents = false

    /// Answers audience rules in place of the visitor's properties.
    public var visitorData: (any RuleData)? {
        get { visitorAnswers?.data }
        set { visitorAnswers = newValue.map(RuleAnswers.init) }
    }

    /// Answers location rules in place of `locationProperties`.
    public var locationData: (any RuleData)? {
        get { locationAnswers?.data }
        set { locationAnswers = newValue.map(RuleAnswers.init) }
    }

    /// Holds rule data. A reference, because Swift 6.3.1 copies an existential to tell whether it is `nil` (W1).
    private final class RuleAnswers: Sendable {
        let data: any RuleData

        init(_ data: any RuleData) { self.data = data }
    }

    private var visitorAnswers: RuleAnswers?
    private var locationAnswers: RuleAnswers?

    /// Whether there is ``visitorData``.
    var hasVisitorData: Bool { visitorAnswers != nil }

    /// Whether there is ``locationData``.
    var hasLocationData: Bool { locationAnswers != nil }

    /// Variations that visitors see whatever the gates say; `nil` but in tests of an app.
    package var forcedVariations: ForcedVariations?

    /// The defaults.
    public init() {}

    /// Options of a call; the others have their defaults.
    ///
    /// - Parameters:
    ///   - environment: the environment to decide in; `nil` means the SDK's.
    ///   - visitorProperties: properties merged over the visitor's attributes for this call.
    ///   - locationProperties: where the visitor is.
    ///   - forcedVariation: key of the variation that the visitor sees if the rules let them in, or else its id.
    ///   - isTrackingEnabled: whether a new decision is reported.
    ///   - isStorageEnabled: whether decisions and locations are stored.
    ///   - suppressesEvents: whether listeners receive no events.
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

    /// Options of a call whose properties are Swift values, of which those that are `nil` are left out.
    ///
    ///     context.decide("checkout", options: DecisionOptions(visitorProperties: ["visits": user.visitCount]))
    @_disfavoredOverload
    public init(
        environment: String? = nil, visitorProperties: SwiftProperties? = nil,
        locationProperties: SwiftProperties? = nil, forcedVariation: String? = nil, isTrackingEnabled: Bool = true,
        isStorageEnabled: Bool = true, suppressesEvents: Bool = false
    ) {
        self.init(
            environment: environment, visitorProperties: visitorProperties?.object,
            locationProperties: locationProperties?.object, forcedVariation: forcedVariation,
            isTrackingEnabled: isTrackingEnabled, isStorageEnabled: isStorageEnabled,
            suppressesEvents: suppressesEvents)
    }
}

extension DecisionOptions {
    /// Whether a variation is named that the visitor is to see.
    package var forcesVariation: Bool { forcedVariationID != nil || forcedVariation != nil }
}
