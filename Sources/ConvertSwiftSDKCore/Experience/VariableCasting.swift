internal import ConvertECMAScript

/// The types that a feature variable can be declared with.
enum VariableType: String {
    case boolean, integer, float, string, json

    /// The reference's cast of a value to a declared type. It never fails; where a number cannot be made, NaN is.
    func cast(_ value: JSValue) -> JSValue {
        switch self {
        case .boolean:
            if case .string("true") = value { return true }
            if case .string("false") = value { return false }
            return .bool(value.isTruthy)
        case .integer:
            if let flag = value.boolValue { return .integer(flag ? 1 : 0) }
            return JSValue(ECMAScript.parseInt(ECMAScript.toString(value)))
        case .float:
            if let flag = value.boolValue { return .integer(flag ? 1 : 0) }
            return JSValue(ECMAScript.parseFloat(ECMAScript.toString(value)))
        case .string:
            return .string(ECMAScript.toString(value))
        case .json:
            return castToJSON(value)
        }
    }

    private func castToJSON(_ value: JSValue) -> JSValue {
        switch value {
        case .null, .array, .object:
            return value
        default:
            let text = ECMAScript.toString(value)
            return (try? ECMAScript.parseJSON(text).withRoot { $0.value }) ?? .string(text)
        }
    }
}
