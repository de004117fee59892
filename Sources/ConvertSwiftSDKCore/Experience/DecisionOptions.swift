public import ConvertECMAScript

/// What a caller can say about one decision, or one call that makes several.
public struct DecisionOptions: Sendable {
    // A word of flags and one reference, which is none for most calls: options are copied at every decision.

    private struct Flags: OptionSet, Sendable {
        let rawValue: UInt16

        static let givesLocation = Flags(rawValue: 1)
        static let ignoresLocation = Flags(rawValue: 2)
        static let updatesProperties = Flags(rawValue: 4)
        static let isUntracked = Flags(rawValue: 8)
        static let isUnstored = Flags(rawValue: 16)
        static let suppressesEvents = Flags(rawValue: 32)
        static let isForcing = Flags(rawValue: 64)
        static let answersAudiences = Flags(rawValue: 128)
        static let answersLocations = Flags(rawValue: 256)
    }

    /// What few calls bring.
    fileprivate struct Details: Sendable {
        var environment: String?
        var visitorProperties: JSObject?
        /// `nil` also for an empty set.
        var locationProperties: JSObject?
        var forcedVariationID: String?
        var forcedVariation: String?
        var forcedVariations: ForcedVariations?
        var visitorData: (any RuleData)?
        var locationData: (any RuleData)?

        var areNone: Bool {
            environment == nil && visitorProperties == nil && locationProperties == nil && forcedVariationID == nil
                && forcedVariation == nil && forcedVariations == nil && visitorData == nil && locationData == nil
        }
    }

    /// Immutable, so that copies of the options may share one.
    @usableFromInline
    final class Box: Sendable {
        fileprivate let details: Details

        fileprivate init(_ details: Details) { self.details = details }
    }

    private var flags: Flags = []
    private var box: Box?

    private func has(_ flag: Flags) -> Bool { flags.contains(flag) }

    private mutating func set(_ flag: Flags, _ isOn: Bool) {
        if isOn { flags.insert(flag) } else { flags.remove(flag) }
    }

    private mutating func change(_ change: (inout Details) -> Void) {
        var details = box?.details ?? Details()
        change(&details)
        box = details.areNone ? nil : Box(details)
    }

    /// The environment to decide in; `nil` or empty means the manager's.
    public var environment: String? {
        get { box?.details.environment }
        set { change { $0.environment = newValue } }
    }

    /// Properties merged over the visitor's attributes for this call.
    public var visitorProperties: JSObject? {
        get { box?.details.visitorProperties }
        set { change { $0.visitorProperties = newValue } }
    }

    /// Properties of where the visitor is. Without any nobody is eligible under ``RuleSemantics/javaScript``, not even in
    /// an experience that is not restricted; under the other semantics it is as if an empty set was given.
    public var locationProperties: JSObject? {
        get { givesLocation ? box?.details.locationProperties ?? JSObject() : nil }
        set {
            set(.givesLocation, newValue != nil)
            if box != nil || newValue?.isEmpty == false {
                change { $0.locationProperties = newValue.flatMap { $0.isEmpty ? nil : $0 } }
            }
        }
    }

    /// Whether location properties are given, be they empty.
    var givesLocation: Bool { has(.givesLocation) }

    /// Whether locations and site areas are not looked at.
    public var ignoresLocationProperties: Bool {
        get { has(.ignoresLocation) }
        set { set(.ignoresLocation, newValue) }
    }

    /// Whether a new decision also stores all of the visitor's properties as segments.
    public var updatesVisitorProperties: Bool {
        get { has(.updatesProperties) }
        set { set(.updatesProperties, newValue) }
    }

    /// Id of the variation that the visitor sees if the rules let them in. An unknown one is ignored.
    ///
    /// It is decided anew in place of what was stored: a forced variation other than the stored one replaces it and is
    /// reported, as far as storage and tracking are on; the stored one itself is answered as stored.
    public var forcedVariationID: String? {
        get { box?.details.forcedVariationID }
        set { change { $0.forcedVariationID = newValue } }
    }

    /// Key of the variation that the visitor sees, or else its id, as ``forcedVariationID`` says; that counts first.
    public var forcedVariation: String? {
        get { box?.details.forcedVariation }
        set { change { $0.forcedVariation = newValue } }
    }

    /// Whether a new decision is reported.
    public var isTrackingEnabled: Bool {
        get { !has(.isUntracked) }
        set { set(.isUntracked, !newValue) }
    }

    /// Whether a variation is named that the visitor is to see.
    package var forcesVariation: Bool { box != nil && (forcedVariationID != nil || forcedVariation != nil) }

    /// Whether decisions and locations are stored. Listeners receive location events in any case.
    public var isStorageEnabled: Bool {
        get { !has(.isUnstored) }
        set { set(.isUnstored, !newValue) }
    }

    /// Whether listeners receive no events of this call; it is stored and reported all the same.
    public var suppressesEvents: Bool {
        get { has(.suppressesEvents) }
        set { set(.suppressesEvents, newValue) }
    }

    /// Answers audience rules in place of the visitor's properties.
    public var visitorData: (any RuleData)? {
        get { box?.details.visitorData }
        set {
            set(.answersAudiences, newValue != nil)
            change { $0.visitorData = newValue }
        }
    }

    // Kept apart, because asking the data copies them, which is done for each audience.

    /// Whether there are ``visitorData``.
    var answersAudiences: Bool { has(.answersAudiences) }

    /// Whether there are ``locationData``.
    var answersLocations: Bool { has(.answersLocations) }

    /// Answers location rules in place of `locationProperties`.
    public var locationData: (any RuleData)? {
        get { box?.details.locationData }
        set {
            set(.answersLocations, newValue != nil)
            change { $0.locationData = newValue }
        }
    }

    /// Variations that visitors see whatever the gates say; `nil` but in tests of an app.
    package var forcedVariations: ForcedVariations? {
        get { isForcing ? box?.details.forcedVariations : nil }
        set {
            set(.isForcing, newValue != nil)
            change { $0.forcedVariations = newValue }
        }
    }

    /// Whether there are such variations.
    var isForcing: Bool { has(.isForcing) }

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
        if let environment { self.environment = environment }
        if let visitorProperties { self.visitorProperties = visitorProperties }
        if let locationProperties { self.locationProperties = locationProperties }
        if let forcedVariation { self.forcedVariation = forcedVariation }
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
