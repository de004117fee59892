public import ConvertECMAScript

/// Options for one call, which makes one decision or several.
public struct DecisionOptions: Sendable {
    /// The environment to decide in; `nil` or empty means the SDK's environment.
    public var environment: String?

    /// Properties merged over the visitor's attributes for this call.
    public var visitorProperties: JSObject?

    /// Properties of the visitor's location. Under `RuleSemantics.javaScript`, no visitor is eligible in a call without
    /// location properties, even for experiences without a location restriction. Under the other semantics, `nil` means
    /// the same as no properties.
    public var locationProperties: JSObject?

    /// Whether to skip locations and site areas. Under `RuleSemantics.javaScript` it has no effect on calls for
    /// features.
    public var ignoresLocationProperties = false

    /// Whether a new decision also stores all of the visitor's properties as segments.
    public var updatesVisitorProperties = false

    /// Id of the variation that the visitor sees, if the visitor is eligible for the experience. An unknown id is
    /// ignored.
    ///
    /// If another variation is stored, the forced variation replaces it and is reported, unless storage or tracking is
    /// off. If the forced variation is already stored, the decision's source is ``BucketedVariation/Source/stored``.
    public var forcedVariationID: String?

    /// Key of the variation that the visitor sees, or its id if no variation has such a key. The option works like
    /// ``forcedVariationID``, which takes precedence.
    public var forcedVariation: String?

    /// Whether a new decision is reported. Under `RuleSemantics.javaScript` it has no effect on calls for features.
    public var isTrackingEnabled = true

    /// Whether decisions and locations are stored. Listeners receive location events in either case.
    public var isStorageEnabled = true

    /// Whether listeners receive no events from this call. Storage and reporting are not affected.
    public var suppressesEvents = false

    /// Answers audience rules instead of the visitor's properties.
    public var visitorData: (any RuleData)? {
        get { visitorAnswers?.data }
        set { visitorAnswers = newValue.map(RuleAnswers.init) }
    }

    /// Answers location rules instead of `locationProperties`.
    public var locationData: (any RuleData)? {
        get { locationAnswers?.data }
        set { locationAnswers = newValue.map(RuleAnswers.init) }
    }

    /// Holds rule data.
    // Keep it a class: with Swift 6.3.1, checking an optional `any RuleData` for `nil` copies it (W1).
    private final class RuleAnswers: Sendable {
        let data: any RuleData

        init(_ data: any RuleData) { self.data = data }
    }

    private var visitorAnswers: RuleAnswers?
    private var locationAnswers: RuleAnswers?

    var hasVisitorData: Bool { visitorAnswers != nil }

    var hasLocationData: Bool { locationAnswers != nil }

    /// Variations that visitors see regardless of all gates: keys or ids of variations, by the keys of their
    /// experiences. Only an app's tests set this option.
    package var forcedVariations: [PropertyKey: String]?

    /// Creates default options.
    public init() {}

    /// Creates options; the options that are not parameters keep their defaults.
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

    /// Creates options whose properties are Swift values. Properties that are `nil` are left out.
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
    package var forcesVariation: Bool { forcedVariationID != nil || forcedVariation != nil }
}
