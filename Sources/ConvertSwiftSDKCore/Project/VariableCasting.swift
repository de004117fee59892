package import ConvertECMAScript

/// The types that a feature variable can be declared with.
package enum VariableType: String, Sendable, CaseIterable {
    case boolean, integer, float, string, json

    /// Whether casting `value` returns it unchanged.
    func keeps(_ value: JSValue) -> Bool {
        switch (self, value) {
        case (.boolean, .bool), (.string, .string), (.string, .illFormedString), (.json, .null), (.json, .array),
            (.json, .object):
            true
        // ECMAScript's numbers cannot represent every integer beyond 2^53.
        case (.integer, .integer(let integer)), (.float, .integer(let integer)): integer.magnitude <= 1 << 53
        default: false
        }
    }
}

/// Casts feature variables to their declared types, as the reference does.
package struct VariableCasting {
    /// How many more values may be parsed from JSON in texts.
    private(set) var room: Int
    /// Whether some JSON stayed text because it contains more values than ``room``.
    private(set) var isExhausted = false

    package init(room: Int = ConfigLimits.variableValues) { self.room = room }

    /// Reserves `count` values for a result that was cast before. Returns `false` if the limit does not allow them.
    mutating func take(_ count: Int) -> Bool {
        guard count <= room else { return false }
        room -= count
        return true
    }

    /// Casts `value` to `type`. The result is NaN for a value that cannot become a number, and text that is not JSON
    /// stays text.
    package mutating func cast(_ value: JSValue, to type: VariableType) -> JSValue {
        switch type {
        case .boolean:
            if case .string("true") = value { return true }
            if case .string("false") = value { return false }
            return .bool(value.isTruthy)
        case .integer:
            if let flag = value.boolValue { return .integer(flag ? 1 : 0) }
            return JSValue(ECMAScript.parseInt(ECMAScript.toString(value)))
        case .float:
            if let flag = value.boolValue { return .integer(flag ? 1 : 0) }
            // Parsing a number's text returns the number. The exception is -0, whose text has no sign.
            if let number = value.numberValue { return JSValue(number + 0) }
            return JSValue(ECMAScript.parseFloat(ECMAScript.toString(value)))
        case .string:
            return ECMAScript.toStringValue(value)
        case .json:
            return castToJSON(value)
        }
    }

    private mutating func castToJSON(_ value: JSValue) -> JSValue {
        switch value {
        case .null, .array, .object:
            return value
        default:
            let string = ECMAScript.toStringValue(value)
            // JSON accepts an escaped surrogate wherever it accepts a surrogate, and UTF-8 cannot encode a surrogate.
            let text =
                if case .illFormedString(let text) = string { text.escapingSurrogates } else {
                    ECMAScript.toString(string)
                }
            var limits = JSONLimits()
            limits.values = room
            do {
                let document = try ECMAScript.parseJSON(text, limits: limits)
                room -= document.valueCount
                return document.withRoot { $0.value }
            } catch {
                if error.code == .tooManyValues { isExhausted = true }
                return string
            }
        }
    }
}
