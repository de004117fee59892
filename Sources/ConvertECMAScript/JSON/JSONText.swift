extension ECMAScript {
    /// The JSON text of `value`, without white space, as `JSON.stringify` writes it. Numbers that JSON cannot express
    /// become `null`. Members are written in the object's order.
    ///
    /// Takes time linear to the value. Nesting takes memory, but no call stack.
    package static func jsonText(of value: JSValue) -> String { jsonText(of: value, keepsNumbers: false) }

    /// JSON text that parses to `value`. Unlike in ``jsonText(of:)``, infinities are written as `1e400` and `-1e400`,
    /// negative zero as `-0`, and 64-bit integers with all digits. Only NaN becomes `null`.
    package static func jsonText(keepingNumbersOf value: JSValue) -> String { jsonText(of: value, keepsNumbers: true) }

    private static func jsonText(of value: JSValue, keepsNumbers: Bool) -> String {
        var text = ""
        var open: [OpenContainer] = []
        write(value, keepsNumbers, to: &text, &open)
        while let container = open.last {
            switch container.next() {
            case .element(let element, let isFirst):
                open[open.count - 1].index += 1
                if !isFirst { text += "," }
                write(element, keepsNumbers, to: &text, &open)
            case .member(let member, let isFirst):
                open[open.count - 1].index += 1
                if !isFirst { text += "," }
                if member.key.isIllFormed {
                    text += "\"\(member.key.name)\""
                } else {
                    quote(member.key.name, to: &text)
                }
                text += ":"
                write(member.value, keepsNumbers, to: &text, &open)
            case .end(let closer):
                text += closer
                open.removeLast()
            }
        }
        return text
    }

    private static func write(
        _ value: JSValue, _ keepsNumbers: Bool, to text: inout String, _ open: inout [OpenContainer]
    ) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let integer): text += keepsNumbers ? String(integer) : toString(value)
        case .number(let number): text += spelling(of: number, keepsNumbers)
        case .string(let string): quote(string, to: &text)
        case .illFormedString(let string): text += "\"\(spelling(of: string))\""
        case .array(let elements):
            text += "["
            open.append(OpenContainer(elements: elements, members: nil))
        case .object(let object):
            text += "{"
            open.append(OpenContainer(elements: [], members: object.members))
        }
    }

    private static func spelling(of number: Double, _ keepsNumbers: Bool) -> String {
        if keepsNumbers {
            if number.isInfinite { return number < 0 ? "-1e400" : "1e400" }
            if number == 0 && number.sign == .minus { return "-0" }
        }
        return number.isFinite ? toString(number) : "null"
    }

    /// Appends `string` as a JSON string. `escapesSlash` writes a slash as `\/`, which JSON allows.
    package static func quote(_ string: String, escapesSlash: Bool = false, to text: inout String) {
        text += "\""
        escape(string, escapesSlash, to: &text)
        text += "\""
    }

    /// The JSON spelling of `text`, without quotes: a lone surrogate becomes an escape.
    static func spelling(of text: IllFormedText) -> String {
        var spelling = ""
        text.forEachPart { part in
            switch part {
            case .text(let run): escape(run, to: &spelling)
            case .surrogate(let unit): spelling += JSONEscape.spelling(of: unit)
            }
        }
        return spelling
    }

    /// The text whose ``spelling(of:)`` is `spelling`; `nil` if the text is well-formed, or the spelling is invalid.
    static func text(spelled spelling: String) -> IllFormedText? {
        guard let document = try? parseJSON("\"\(spelling)\"") else { return nil }
        return document.withRoot { $0.illFormedText }
    }

    private static func escape(_ string: String, _ escapesSlash: Bool = false, to text: inout String) {
        if !escapesSlash, string.withUTF8Bytes(isPlain) { return text += string }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "/" where escapesSlash: text += "\\/"
            case "\u{8}": text += "\\b"
            case "\u{c}": text += "\\f"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}": text += JSONEscape.spelling(of: UInt16(scalar.value))
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether no byte of the text needs escaping. That is so for most texts.
    static func isPlain(_ bytes: ByteText) -> Bool {
        // Keep the loop without an early exit: that makes it faster.
        var found: UInt8 = 0
        for byte in bytes {
            found |= byte < 0x20 ? 1 : 0
            found |= byte == UInt8(ascii: "\"") ? 1 : 0
            found |= byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return found == 0
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
