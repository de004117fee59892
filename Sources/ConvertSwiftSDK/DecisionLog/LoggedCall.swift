package import ConvertECMAScript
package import ConvertSwiftSDKCore

/// A call as a line of a decision log has it: the question, and the options that affect the answer.
package struct LoggedCall: Sendable, Equatable {
    /// The question of a call.
    package enum Question: Sendable, Equatable {
        /// Single experiences, in order, by the keys in the answer.
        case experiences
        /// All experiences, in config order.
        case allExperiences
        /// Like ``allExperiences``, except that experiences after one on which the JavaScript SDK throws are decided
        /// one by one.
        case eachExperience
        /// One experience, by the id in the answer.
        case experienceID
        /// One feature, in the experiences with these keys; an empty list means all.
        case feature(key: String, experienceKeys: [String])
        /// All features.
        case features
    }

    package var question = Question.experiences
    package var castsTypes = true
    package var properties: JSObject?
    package var forcedVariation: String?
    package var forcedVariationID: String?
    package var ignoresLocationProperties = false
    package var updatesVisitorProperties = false
    package var isStorageEnabled = true

    /// Creates a call for single experiences with default options.
    package init() {}

    init(_ question: Question, castsTypes: Bool, _ options: DecisionOptions) {
        self.question = question
        self.castsTypes = castsTypes
        properties = options.visitorProperties
        forcedVariation = options.forcedVariation
        forcedVariationID = options.forcedVariationID
        ignoresLocationProperties = options.ignoresLocationProperties
        updatesVisitorProperties = options.updatesVisitorProperties
        isStorageEnabled = options.isStorageEnabled
    }

    /// The options of the call, without the location properties, which are in another member of the line.
    package var options: DecisionOptions {
        var options = DecisionOptions()
        options.isTrackingEnabled = false
        options.isStorageEnabled = isStorageEnabled
        if let properties { options.visitorProperties = properties }
        if let forcedVariation { options.forcedVariation = forcedVariation }
        if let forcedVariationID { options.forcedVariationID = forcedVariationID }
        options.ignoresLocationProperties = ignoresLocationProperties
        options.updatesVisitorProperties = updatesVisitorProperties
        return options
    }
}

extension LoggedCall {
    private enum Member: String {
        case all
        case byID = "byId"
        case each, feature, experienceKeys, features, castsTypes, properties, forcedVariation
        case forcedVariationID = "forcedVariationId"
        case ignoresLocation, updatesProperties, isStored
    }

    /// The call as a member of a line; empty for single experiences. Members with default values are left out.
    package var json: JSObject {
        var json = JSObject()
        func set(_ member: Member, _ value: JSValue) { json[PropertyKey(member.rawValue)] = value }
        switch question {
        case .experiences: break
        case .allExperiences: set(.all, true)
        case .eachExperience: set(.each, true)
        case .experienceID: set(.byID, true)
        case .feature(let key, let experienceKeys):
            set(.feature, .string(key))
            if !experienceKeys.isEmpty { set(.experienceKeys, .array(experienceKeys.map(JSValue.string))) }
        case .features: set(.features, true)
        }
        if !castsTypes { set(.castsTypes, false) }
        if let properties { set(.properties, .object(properties)) }
        if let forcedVariation { set(.forcedVariation, .string(forcedVariation)) }
        if let forcedVariationID { set(.forcedVariationID, .string(forcedVariationID)) }
        if ignoresLocationProperties { set(.ignoresLocation, true) }
        if updatesVisitorProperties { set(.updatesProperties, true) }
        if !isStorageEnabled { set(.isStored, false) }
        return json
    }

    /// Reads a call; `nil` if `json` is not a call, or has members of a later version.
    package init?(json: JSObject) {
        for member in json {
            let value = member.value
            switch Member(rawValue: member.key.name) {
            case .all where value == true: question = .allExperiences
            case .each where value == true: question = .eachExperience
            case .byID where value == true: question = .experienceID
            case .features where value == true: question = .features
            case .feature:
                guard let key = value.stringValue else { return nil }
                let keys = json[PropertyKey(Member.experienceKeys.rawValue)]?.arrayValue ?? []
                question = .feature(key: key, experienceKeys: keys.compactMap(\.stringValue))
            case .experienceKeys where value.arrayValue != nil: break
            case .castsTypes where value.boolValue != nil: castsTypes = value == true
            case .properties where value.objectValue != nil: properties = value.objectValue
            case .forcedVariation where value.stringValue != nil: forcedVariation = value.stringValue
            case .forcedVariationID where value.stringValue != nil: forcedVariationID = value.stringValue
            case .ignoresLocation where value.boolValue != nil: ignoresLocationProperties = value == true
            case .updatesProperties where value.boolValue != nil: updatesVisitorProperties = value == true
            case .isStored where value.boolValue != nil: isStorageEnabled = value == true
            default: return nil
            }
        }
    }
}

extension CompilationOptions {
    private enum Member: String { case semantics, keysAreCaseSensitive, hashSeed, maxTraffic, excludesExperienceID }

    /// The options as a member of a line; empty if all have their defaults.
    package var json: JSObject {
        var json = JSObject()
        func set(_ member: Member, _ value: JSValue) { json[PropertyKey(member.rawValue)] = value }
        if semantics != .standard { set(.semantics, .string(semantics.rawValue)) }
        if !keysAreCaseSensitive { set(.keysAreCaseSensitive, false) }
        if bucketing.hashSeed != BucketingOptions.defaultHashSeed { set(.hashSeed, .integer(Int(bucketing.hashSeed))) }
        if bucketing.maxTraffic != BucketingOptions.defaultMaxTraffic {
            set(.maxTraffic, JSValue(bucketing.maxTraffic))
        }
        if bucketing.excludesExperienceID { set(.excludesExperienceID, true) }
        return json
    }

    /// Reads options; `nil` if a member is invalid or belongs to a later version.
    package init?(json: JSObject) {
        self.init()
        var seed: UInt32 = 0
        var maxTraffic = 0.0
        var excludesExperienceID = false
        for member in json {
            switch Member(rawValue: member.key.name) {
            case .semantics:
                guard let semantics = member.value.stringValue.flatMap({ RuleSemantics(rawValue: $0) }) else {
                    return nil
                }
                self.semantics = semantics
            case .keysAreCaseSensitive: keysAreCaseSensitive = member.value.isTruthy
            case .hashSeed:
                guard let number = member.value.numberValue.flatMap({ UInt32(exactly: $0) }) else { return nil }
                seed = number
            case .maxTraffic:
                guard let number = member.value.numberValue else { return nil }
                maxTraffic = number
            case .excludesExperienceID: excludesExperienceID = member.value.isTruthy
            case nil: return nil
            }
        }
        bucketing = BucketingOptions(hashSeed: seed, maxTraffic: maxTraffic, excludesExperienceID: excludesExperienceID)
    }
}
