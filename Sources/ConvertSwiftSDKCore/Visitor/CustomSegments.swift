internal import ConvertECMAScript

/// What stands under `customSegments` in a visitor's segments.
enum CustomSegments {
    case list([JSValue])
    /// The reference takes text for a list of characters that any id may be a part of.
    case text(JSValue)
    /// Something else, on which the reference throws.
    case unusable

    init(_ value: JSValue?) {
        switch value {
        case nil: self = .list([])
        case .array(let ids): self = .list(ids)
        case .string?, .illFormedString?: self = .text(value ?? "")
        default: self = .unusable
        }
    }

    /// Whether the reference throws on them.
    var isUnusable: Bool { if case .unusable = self { true } else { false } }

    /// Whether `id` is among them; an id that is not truthy never is.
    func contains(_ id: EntityID) -> Bool {
        guard id.isTruthy else { return false }
        return contains(id.value)
    }

    /// JavaScript's `includes`, of an array or of a text.
    func contains(_ value: JSValue) -> Bool {
        switch self {
        case .list(let ids): ids.contains { $0.isStrictlyEqual(to: value) }
        case .text(let text): Self.includes(text, value)
        case .unusable: false
        }
    }

    private static func includes(_ text: JSValue, _ part: JSValue) -> Bool {
        func withUnits<Result>(of value: JSValue, _ body: (ByteText) -> Result) -> Result {
            ECMAScript.withText(of: value) { text in
                ECMAScript.separatingSurrogates(text).withUnsafeBufferPointer { body(ByteText($0)) }
            }
        }
        return withUnits(of: text) { text in withUnits(of: part) { text.contains($0) } }
    }

    /// The code points of a text, as JavaScript's `[...text]` gives them.
    private static func characters(of text: JSValue) -> [JSValue] {
        var characters: [JSValue] = []
        func append(_ text: String) { characters += text.unicodeScalars.map { .string(String($0)) } }
        switch text {
        case .illFormedString(let text):
            text.forEachPart { part in
                switch part {
                case .text(let run): append(run)
                case .surrogate(let unit):
                    if let half = IllFormedText(codeUnits: [unit]) { characters.append(.illFormedString(half)) }
                }
            }
        case let text: append(ECMAScript.toString(text))
        }
        return characters
    }

    /// What new ids are appended to.
    var elements: [JSValue] {
        switch self {
        case .list(let ids): ids
        case .text(let text): Self.characters(of: text)
        case .unusable: []
        }
    }
}
