internal import ConvertECMAScript
internal import ConvertTransport
internal import ConvertValues

/// A text with tokens: `{%key%}` or `{%function(key)%}`. Each token is replaced by the text of the key's value.
///
/// The text is parsed once. Replacements are not parsed again, so tokens cannot create tokens.
struct TokenTemplate: Sendable {
    /// A function that a token applies to its value.
    enum Function: String, Sendable {
        case urlenc, int, double, string, bool
    }

    /// A fault in a token. A faulty token is replaced too.
    enum Fault: Sendable {
        case unclosed, nested, unknownFunction, unusableKey

        /// The fault and its effect.
        var message: String {
            switch self {
            case .unclosed: "a token is not closed: the whole text becomes empty."
            case .nested: "a token is within another token, which ends at the first '%}': tokens cannot be nested."
            case .unknownFunction:
                "a token's function does not exist: the value stays as it is; use urlenc, int, double, string or bool."
            case .unusableKey:
                "a token's key is malformed or longer than \(MobileRulesLimits.keyLength) bytes: it becomes empty."
            }
        }
    }

    private enum Part: Sendable {
        case text(String)
        case token(KeyReference, Function?, isArgument: Bool)

        /// The encoding that the replacement already has.
        var encoding: ExpandedText.Encoding {
            switch self {
            case .token(_, .urlenc, _): .component
            case .token(.allAsURL, _, _): .query
            default: .none
            }
        }
    }

    private let parts: [Part]

    /// Whether the text contains no tokens.
    let isConstant: Bool

    /// Whether the result is empty for every event.
    var isEmpty: Bool { parts.isEmpty }

    /// The kinds of faults, without duplicates, in order of occurrence.
    let faults: [Fault]

    /// Parses `text`. An unclosed token makes the whole text empty.
    init(_ text: String) {
        let bytes = Array(text.utf8)[...]
        var parts: [Part] = []
        var faults: [Fault] = []
        func note(_ fault: Fault) { if !faults.contains(fault) { faults.append(fault) } }
        var rest = 0
        while let open = Self.index(of: UInt8(ascii: "{"), UInt8(ascii: "%"), in: bytes[rest...]) {
            guard let close = Self.index(of: UInt8(ascii: "%"), UInt8(ascii: "}"), in: bytes[(open + 2)...]) else {
                parts = []
                note(.unclosed)
                rest = bytes.count
                break
            }
            if open > rest { parts.append(.text(String(decoding: bytes[rest..<open], as: UTF8.self))) }
            let content = bytes[(open + 2)..<close]
            let part = Self.token(content)
            parts.append(part)
            if Self.index(of: UInt8(ascii: "{"), UInt8(ascii: "%"), in: content) != nil {
                note(.nested)
            } else if case .token(let key, let function, let isArgument) = part {
                if key == .nothing { note(.unusableKey) } else if isArgument, function == nil { note(.unknownFunction) }
            }
            rest = close + 2
        }
        if rest < bytes.count { parts.append(.text(String(decoding: bytes[rest...], as: UTF8.self))) }
        self.parts = parts
        self.faults = faults
        isConstant = parts.allSatisfy { if case .text = $0 { true } else { false } }
    }

    /// The text with its tokens replaced, cut off at the view's limit.
    func text(in view: inout EventView) -> String {
        var text = ""
        forEachPiece(in: &view) { piece, _ in text += piece }
        return text
    }

    /// The text with its tokens replaced, in pieces that record which parts came from tokens. It is cut off at the
    /// view's limit.
    func expansion(in view: inout EventView) -> ExpandedText {
        var pieces: [ExpandedText.Piece] = []
        forEachPiece(in: &view) { piece, part in
            if case .text = part {
                pieces.append(.literal(piece))
            } else {
                pieces.append(.token(piece, part.encoding))
            }
        }
        return ExpandedText(pieces: pieces)
    }

    private func forEachPiece(in view: inout EventView, _ body: (String, Part) -> Void) {
        for part in parts where view.expansionRoom >= 0 {
            switch part {
            case .text(let literal): body(literal, part)
            case .token(let key, let function, let isArgument):
                let replacement = Self.text(view.value(of: key), function, isArgument: isArgument)
                view.takeRoom(for: replacement)
                if view.expansionRoom >= 0 { body(replacement, part) }
            }
        }
    }

    private static func text(_ value: JSValue?, _ function: Function?, isArgument: Bool) -> String {
        guard let value = value ?? (isArgument ? .string("") : nil) else { return "" }
        var form = MobileValue(value)
        let plain = form.text ?? ""
        switch function {
        case nil, .string: return plain
        case .int: return form.integer.map { String($0) } ?? plain
        case .double: return form.double.map { String($0) } ?? plain
        case .bool: return form.bool.map { String($0) } ?? plain
        case .urlenc:
            guard case .string(let text) = value else { return plain }
            return PercentEncoding.encode(text)
        }
    }

    /// Creates a token from the text between its marks. Functions cannot be nested. An unknown function leaves the
    /// value unchanged.
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

    private static func index(of first: UInt8, _ second: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            if bytes[index] == first, bytes[index + 1] == second { return index }
            index += 1
        }
        return nil
    }
}
