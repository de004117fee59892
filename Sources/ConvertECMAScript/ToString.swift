extension ECMAScript {
    /// ToString (ECMA-262 §7.1.17): `undefined` for `nil`, ``toString(_:)-(Double)`` for Numbers, the result of
    /// `Array.prototype.join` for arrays, and `[object Object]` for objects.
    ///
    /// An integer beyond 2^53 becomes the text of the nearest double. A lone surrogate becomes U+FFFD, because a Swift
    /// string cannot hold it. Nesting takes memory, but no call stack.
    public static func toString(_ value: JSValue?) -> String {
        switch value {
        case nil: "undefined"
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let integer): toString(integer)
        case .number(let number): toString(number)
        case .string(let text): text
        case .illFormedString(let text): text.wellFormed
        case .array(let elements): join(elements)
        case .object: "[object Object]"
        }
    }

    /// ToString with lone surrogates: a `.string`, or an `.illFormedString`.
    package static func toStringValue(_ value: JSValue?) -> JSValue {
        switch value {
        case .illFormedString(let text): return .illFormedString(text)
        case .array(let elements)?:
            guard hasIllFormedText(elements) else { return .string(join(elements)) }
            var bytes: [UInt8] = []
            forEachPart(of: elements) { part in
                if case .illFormedString(let text) = part { bytes += text.bytes } else { bytes += toString(part).utf8 }
            }
            return .illFormedString(IllFormedText(bytes: bytes))
        default: return .string(toString(value))
        }
    }

    /// Calls `body` with the UTF-8 of ToString of `value`, where a lone surrogate takes three bytes.
    package static func withText<Result>(
        of value: JSValue?, _ body: (ByteText) -> Result
    ) -> Result {
        switch toStringValue(value) {
        case .illFormedString(let text): text.bytes.withElements(body)
        case let text: toString(text).withUTF8Bytes(body)
        }
    }

    /// ToPropertyKey (ECMA-262 §7.1.19).
    package static func toPropertyKey(_ value: JSValue?) -> PropertyKey {
        switch toStringValue(value) {
        case .illFormedString(let text): PropertyKey(text)
        case let text: PropertyKey(toString(text))
        }
    }

    /// Whether the elements, or arrays in them, contain a string with a lone surrogate.
    private static func hasIllFormedText(_ elements: [JSValue]) -> Bool {
        var open = elements
        while let element = open.popLast() {
            if case .illFormedString = element { return true }
            if case .array(let nested) = element { open += nested }
        }
        return false
    }

    /// Whether ToString throws: for an object with a member `toString`, which is never callable in JSON, and for an
    /// array that contains such an object at any depth of arrays.
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

    /// The elements joined by commas, depth first; `null` and an empty array become empty texts.
    private static func join(_ elements: [JSValue]) -> String {
        var text = ""
        forEachPart(of: elements) { text += toString($0) }
        return text
    }

    /// Calls `body` with each element that has a text, and with the commas between elements.
    private static func forEachPart(of elements: [JSValue], _ body: (JSValue) -> Void) {
        var open = [(elements: elements, next: 0)]
        while let (elements, next) = open.popLast() {
            if next == elements.count { continue }
            open.append((elements, next + 1))
            if next > 0 { body(",") }
            switch elements[next] {
            case .null: break
            case .array(let nested): open.append((nested, 0))
            case let element: body(element)
            }
        }
    }
}
