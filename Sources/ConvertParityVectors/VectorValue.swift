package import ConvertECMAScript

extension JSValue {
    /// The value with each `{"$number": "…"}` replaced by its Number, which JSON cannot express.
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
        var object = JSObject()
        for member in self { object[member.key] = member.value.resolvingNumbers }
        return object
    }
}

extension JSValue {
    /// The value with U+FFFD in place of each lone surrogate, as in answers that are Swift strings.
    var wellFormed: JSValue {
        switch self {
        case .illFormedString(let text): return .string(text.wellFormed)
        case .array(let elements): return .array(elements.map(\.wellFormed))
        case .object(let object): return .object(JSObject(object.map { ($0.key.text, $0.value.wellFormed) }))
        default: return self
        }
    }
}
