internal import ConvertECMAScript

/// The types that a feature variable can be declared with.
enum VariableType: String {
    case boolean, integer, float, string, json

    /// Whether a cast of `value` gives `value`.
    func keeps(_ value: JSValue) -> Bool {
        switch (self, value) {
        case (.boolean, .bool), (.string, .string), (.string, .illFormedString), (.json, .null), (.json, .array),
            (.json, .object):
            true
        // Beyond 2^53 an integer may be none that ECMAScript has.
        case (.integer, .integer(let integer)), (.float, .integer(let integer)): integer.magnitude <= 1 << 53
        default: false
        }
    }
}

/// The reference's casts of feature variables to their declared types.
struct VariableCasting {
    /// How many more values the JSON in texts may hold.
    private(set) var room: Int
    /// Whether some JSON was left as text because it held more.
    private(set) var isExhausted = false

    init(room: Int = ConfigLimits.variableValues) { self.room = room }

    /// Takes room for what was cast before, and says whether there is as much.
    mutating func take(_ count: Int) -> Bool {
        guard count <= room else { return false }
        room -= count
        return true
    }

    /// Casts `value` to `type`. It never fails; where a number cannot be made, NaN is.
    mutating func cast(_ value: JSValue, to type: VariableType) -> JSValue {
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
            // The text of a number reads as that number, but for -0, whose text has no sign.
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
            // What JSON takes for a part of a text, an escape is taken for as well.
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
