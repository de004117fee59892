internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A text with tokens: `{%key%}` or `{%function(key)%}`, each replaced by the text of what the key names.
///
/// Parsed once. What a token gives is not looked at again, so tokens cannot make tokens.
struct TokenTemplate: Sendable {
    /// What a token does to its value.
    enum Function: String, Sendable {
        case urlenc, int, double, string, bool
    }

    private enum Part: Sendable {
        case text(String)
        case token(KeyReference, Function?, isArgument: Bool)
    }

    private let parts: [Part]

    /// Whether there is nothing to replace.
    let isConstant: Bool

    /// Whether the text comes out empty whatever the event.
    var isEmpty: Bool { parts.isEmpty }

    /// Parses `text`. An unclosed token makes the whole text empty.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        var parts: [Part] = []
        var rest = 0
        while let open = Self.index(of: UInt8(ascii: "{"), UInt8(ascii: "%"), in: bytes, from: rest) {
            guard let close = Self.index(of: UInt8(ascii: "%"), UInt8(ascii: "}"), in: bytes, from: open + 2) else {
                self.parts = []
                isConstant = true
                return
            }
            if open > rest { parts.append(.text(String(decoding: bytes[rest..<open], as: UTF8.self))) }
            parts.append(Self.token(bytes[(open + 2)..<close]))
            rest = close + 2
        }
        if rest < bytes.count { parts.append(.text(String(decoding: bytes[rest...], as: UTF8.self))) }
        self.parts = parts
        isConstant = parts.allSatisfy { if case .text = $0 { true } else { false } }
    }

    /// The text with its tokens replaced, cut off where the view has no more room for them.
    func text(in view: inout EventView) -> String {
        var text = ""
        for part in parts where view.expansionRoom >= 0 {
            switch part {
            case .text(let literal): text += literal
            case .token(let key, let function, let isArgument):
                let replacement = Self.text(view.value(of: key), function, isArgument: isArgument)
                view.takeRoom(for: replacement)
                if view.expansionRoom >= 0 { text += replacement }
            }
        }
        return text
    }

    private static func text(_ value: JSValue?, _ function: Function?, isArgument: Bool) -> String {
        guard let value = value ?? (isArgument ? .string("") : nil) else { return "" }
        let form = MobileValue(value)
        let plain = form.text ?? ""
        switch function {
        case nil, .string: return plain
        case .int: return form.integer.map { String($0) } ?? plain
        case .double: return form.double.map { String($0) } ?? plain
        case .bool: return form.bool.map { String($0) } ?? plain
        case .urlenc:
            guard case .string(let text) = value else { return plain }
            return EventText.percentEncode(text, keeping: EventText.unreservedCharacters)
        }
    }

    /// A token from what stands between its marks. Functions do not nest; an unknown one leaves the value as it is.
    private static func token(_ content: ArraySlice<UInt8>) -> Part {
        let text = String(decoding: content, as: UTF8.self)
        guard content.last == UInt8(ascii: ")"), let open = content.firstIndex(of: UInt8(ascii: "(")) else {
            return .token(KeyReference(text), nil, isArgument: false)
        }
        if open == content.startIndex { return .token(.nothing, nil, isArgument: false) }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
        var argument = content[(open + 1)...].dropLast()
        while let first = argument.first, isSpace(first) { argument.removeFirst() }
        while let last = argument.last, isSpace(last) { argument.removeLast() }
        return .token(
            KeyReference(String(decoding: argument, as: UTF8.self)),
            Function(rawValue: String(decoding: content[..<open], as: UTF8.self)), isArgument: true)
    }

    private static func index(of first: UInt8, _ second: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + 1 < bytes.count {
            if bytes[index] == first, bytes[index + 1] == second { return index }
            index += 1
        }
        return nil
    }
}
