extension ECMAScript {
    /// The JSON text of `value`, without blanks, as `JSON.stringify` writes it: Numbers that JSON has no spelling for are
    /// `null`, members come in their own order.
    ///
    /// It takes time linear to the value. Nesting costs memory, never stack.
    package static func jsonText(of value: JSValue) -> String {
        var text = ""
        var open: [OpenContainer] = []
        write(value, to: &text, &open)
        while let container = open.last {
            switch container.next() {
            case .element(let element, let isFirst):
                open[open.count - 1].index += 1
                if !isFirst { text += "," }
                write(element, to: &text, &open)
            case .member(let member, let isFirst):
                open[open.count - 1].index += 1
                if !isFirst { text += "," }
                quote(member.key.name, to: &text)
                text += ":"
                write(member.value, to: &text, &open)
            case .end(let closer):
                text += closer
                open.removeLast()
            }
        }
        return text
    }

    private static func write(_ value: JSValue, to text: inout String, _ open: inout [OpenContainer]) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer: text += toString(value)
        case .number(let number): text += number.isFinite ? toString(value) : "null"
        case .string(let string): quote(string, to: &text)
        case .array(let elements):
            text += "["
            open.append(OpenContainer(elements: elements, members: nil))
        case .object(let object):
            text += "{"
            open.append(OpenContainer(elements: [], members: object.members))
        }
    }

    private static func quote(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{8}": text += "\\b"
            case "\u{c}": text += "\\f"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

/// An array or object that is being written.
private struct OpenContainer {
    enum Step {
        case element(JSValue, isFirst: Bool)
        case member(JSObject.Member, isFirst: Bool)
        case end(String)
    }

    let elements: [JSValue]
    let members: [JSObject.Member]?
    var index = 0

    func next() -> Step {
        if let members {
            return index < members.count ? .member(members[index], isFirst: index == 0) : .end("}")
        }
        return index < elements.count ? .element(elements[index], isFirst: index == 0) : .end("]")
    }
}
