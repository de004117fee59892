package import ConvertECMAScript

extension JSValue {
    /// The value with every `{"$number": "…"}` replaced by the Number that JSON could not hold.
    package var resolvingNumbers: JSValue {
        switch self {
        case .array(let elements):
            return .array(elements.map(\.resolvingNumbers))
        case .object(let object):
            if object.count == 1, case .string(let spelling)? = object["$number"] {
                return .number(ECMAScript.stringToNumber(spelling))
            }
            return .object(object.resolvingNumbers)
        default:
            return self
        }
    }
}

extension JSObject {
    /// The object with ``JSValue/resolvingNumbers`` applied to every value.
    package var resolvingNumbers: JSObject {
        JSObject(map { ($0.key.name, $0.value.resolvingNumbers) })
    }
}
