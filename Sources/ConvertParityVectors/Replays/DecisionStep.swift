import ConvertECMAScript
import ConvertSwiftSDKCore

/// One call of a session, with all arguments that calls have.
struct DecisionStep: Decodable {
    let call: String
    let visitor: String?
    let key: String?
    let keys: [String]
    let attributes: JSObject
    let options: DecisionOptions
    let experienceKeys: [String]
    let castsTypes: Bool
    let ruleData: JSObject?
    let conversionData: JSValue?
    let forcesMultipleTransactions: Bool
    let segments: JSObject
    let experienceID: String?
    let variationID: String?
    let expect: JSValue?

    private enum CodingKeys: String, CodingKey {
        case call, visitor, key, keys, attributes, expect, segments, experienceKeys, typeCasting
        case visitorProperties, locationProperties, ignoreLocationProperties, updateVisitorProperties, environment
        case forceVariationId, enableTracking, ruleData, conversionData, conversionSetting, experienceId, variationId
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func flag(_ key: CodingKeys, default value: Bool) throws -> Bool {
            try container.decodeIfPresent(Bool.self, forKey: key) ?? value
        }
        call = try container.decode(String.self, forKey: .call)
        visitor = try container.decodeIfPresent(String.self, forKey: .visitor)
        key = try container.decodeIfPresent(String.self, forKey: .key)
        keys = try container.decodeIfPresent([String].self, forKey: .keys) ?? []
        attributes = try container.operand(.attributes)?.objectValue ?? JSObject()
        expect = try container.operand(.expect)
        experienceKeys = try container.decodeIfPresent([String].self, forKey: .experienceKeys) ?? []
        castsTypes = try flag(.typeCasting, default: true)
        ruleData = try container.operand(.ruleData)?.objectValue
        conversionData = try container.operand(.conversionData)
        forcesMultipleTransactions =
            try container.operand(.conversionSetting)?.objectValue?["forceMultipleTransactions"]?.isTruthy ?? false
        segments = try container.operand(.segments)?.objectValue ?? JSObject()
        experienceID = try container.operand(.experienceId).map { ECMAScript.toString($0) }
        variationID = try container.operand(.variationId).map { ECMAScript.toString($0) }
        var options = DecisionOptions()
        options.visitorProperties = try container.operand(.visitorProperties)?.objectValue
        options.locationProperties = try container.operand(.locationProperties)?.objectValue
        options.ignoresLocationProperties = try flag(.ignoreLocationProperties, default: false)
        options.updatesVisitorProperties = try flag(.updateVisitorProperties, default: false)
        options.environment = try container.decodeIfPresent(String.self, forKey: .environment)
        options.forcedVariationID = try container.operand(.forceVariationId).flatMap {
            // A falsy id forces nothing.
            $0.isTruthy ? ECMAScript.toString($0) : nil
        }
        options.isTrackingEnabled = try flag(.enableTracking, default: true)
        self.options = options
    }
}
