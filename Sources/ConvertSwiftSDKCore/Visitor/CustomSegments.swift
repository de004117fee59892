internal import ConvertECMAScript

/// The value of `customSegments` in a visitor's segments.
enum CustomSegments {
    case list([JSValue])
    /// A text. The reference searches it for ids, and appends ids to the list of its characters.
    case text(JSValue)
    /// Any other value. The reference throws on it.
    case unusable

    init(_ value: JSValue?) {
        switch value {
        case nil: self = .list([])
        case .array(let ids): self = .list(ids)
        case .string?, .illFormedString?: self = .text(value ?? "")
        default: self = .unusable
        }
    }

    /// Whether the reference throws on the value.
    var isUnusable: Bool { if case .unusable = self { true } else { false } }

    /// Whether the segments contain `id`; an id that is not truthy is never contained.
    func contains(_ id: EntityID) -> Bool { id.isTruthy && contains(id.value) }

    /// JavaScript's `includes`, for an array or a text.
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
                ECMAScript.separatingSurrogates(text).withElements(body)
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

    /// The list to which new ids are appended.
    var elements: [JSValue] {
        switch self {
        case .list(let ids): ids
        case .text(let text): Self.characters(of: text)
        case .unusable: []
        }
    }
}
