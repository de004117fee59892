extension ECMAScript {
    /// ToString (ECMA-262 §7.1.17): `undefined` for `nil`, Numbers by ``toString(_:)-(Double)``, arrays as
    /// `Array.prototype.join` does, `[object Object]` for objects.
    ///
    /// An integer beyond 2^53 is the text of the nearest double. Nesting costs memory, never stack.
    public static func toString(_ value: JSValue?) -> String {
        switch value {
        case nil: "undefined"
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let integer): toString(integer)
        case .number(let number): toString(number)
        case .string(let text): text
        case .array(let elements): join(elements)
        case .object: "[object Object]"
        }
    }

    /// Whether ToString throws: of an object with a member `toString`, which JSON never makes callable, and of an array that
    /// holds such an object, itself or in arrays within it.
    package static func throwsInToString(_ value: JSValue?) -> Bool {
        switch value {
        case .object(let object):
            return object[toStringName] != nil
        case .array(let elements):
            var open = elements
            while let element = open.popLast() {
                if case .array(let nested) = element { open += nested }
                if case .object(let object) = element, object[toStringName] != nil { return true }
            }
            return false
        default:
            return false
        }
    }

    private static let toStringName = PropertyKey("toString")

    private static func toString(_ integer: Int) -> String {
        integer.magnitude <= 1 << 53 ? String(integer) : toString(Double(integer))
    }

    /// `elements` joined by commas, depth first; `null` is empty, and so is an array without elements.
    private static func join(_ elements: [JSValue]) -> String {
        var text = ""
        var open = [(elements: elements, next: 0)]
        while let (elements, next) = open.popLast() {
            if next == elements.count { continue }
            open.append((elements, next + 1))
            if next > 0 { text += "," }
            switch elements[next] {
            case .null: break
            case .array(let nested): open.append((nested, 0))
            case let element: text += toString(element)
            }
        }
        return text
    }
}
