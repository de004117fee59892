import ConvertECMAScript
import ConvertSwiftSDKCore

/// One call of a session, with all arguments that calls have.
struct DecisionStep {
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

    init(_ cursor: JSONCursor) throws(VectorError) {
        func flag(_ name: String, default value: Bool) throws(VectorError) -> Bool {
            try cursor.optional(name)?.asFlag ?? value
        }
        func members(_ name: String) -> JSObject? { cursor.operand(name)?.objectValue }
        call = try cursor.required("call").asText
        visitor = try cursor.optional("visitor")?.asText
        key = try cursor.optional("key")?.asText
        keys = try cursor.optional("keys")?.asTexts ?? []
        attributes = members("attributes") ?? JSObject()
        expect = cursor.operand("expect")
        experienceKeys = try cursor.optional("experienceKeys")?.asTexts ?? []
        castsTypes = try flag("typeCasting", default: true)
        ruleData = members("ruleData")
        conversionData = cursor.operand("conversionData")
        forcesMultipleTransactions = members("conversionSetting")?["forceMultipleTransactions"]?.isTruthy ?? false
        segments = members("segments") ?? JSObject()
        func id(_ name: String) -> String? {
            // A falsy id is none.
            cursor.operand(name).flatMap { $0.isTruthy ? ECMAScript.toString($0) : nil }
        }
        experienceID = id("experienceId")
        variationID = id("variationId")
        var options = DecisionOptions()
        options.visitorProperties = members("visitorProperties")
        options.locationProperties = members("locationProperties")
        options.ignoresLocationProperties = try flag("ignoreLocationProperties", default: false)
        options.updatesVisitorProperties = try flag("updateVisitorProperties", default: false)
        options.environment = try cursor.optional("environment")?.asText
        options.forcedVariationID = id("forceVariationId")
        options.isTrackingEnabled = try flag("enableTracking", default: true)
        self.options = options
    }
}
