import ConvertECMAScript
import ConvertSwiftSDKCore

/// One call of a session. It has members for the arguments of all calls.
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
        visitor = try cursor.optional("visitor")?.asShownText
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
        experienceID = try cursor.askedID("experienceId")
        variationID = try cursor.askedID("variationId")
        var options = DecisionOptions()
        options.visitorProperties = members("visitorProperties")
        options.locationProperties = members("locationProperties")
        options.ignoresLocationProperties = try flag("ignoreLocationProperties", default: false)
        options.updatesVisitorProperties = try flag("updateVisitorProperties", default: false)
        options.environment = try cursor.optional("environment")?.asText
        options.forcedVariationID = try cursor.askedID("forceVariationId")
        options.isTrackingEnabled = try flag("enableTracking", default: true)
        self.options = options
    }
}

extension JSONCursor {
    /// The text of a requested id, or `nil` if it is falsy, because the reference ignores falsy ids. Throws if the text
    /// is not a valid Swift string.
    fileprivate func askedID(_ name: String) throws(VectorError) -> String? {
        guard let value = operand(name), value.isTruthy else { return nil }
        guard case .string(let id) = ECMAScript.toStringValue(value) else {
            throw VectorError(message: "'\(name)' contains half a surrogate pair, but calls accept only Swift strings")
        }
        return id
    }
}
