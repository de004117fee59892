internal import ConvertECMAScript

/// What stands under `customSegments` in a visitor's segments.
enum CustomSegments {
    case list([JSValue])
    /// The reference takes text for a list of characters that any id may be a part of.
    case text(String)
    /// Something else, on which the reference throws.
    case unusable

    init(_ value: JSValue?) {
        switch value {
        case nil: self = .list([])
        case .array(let ids): self = .list(ids)
        case .string(let text): self = .text(text)
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
        case .text(let text): Self.includes(text, ECMAScript.toString(value))
        case .unusable: false
        }
    }

    private static func includes(_ text: String, _ part: String) -> Bool {
        var (text, part) = (text, part)
        return text.withUTF8 { text in part.withUTF8 { ByteText(text).contains(ByteText($0)) } }
    }

    /// What new ids are appended to.
    var elements: [JSValue] {
        switch self {
        case .list(let ids): ids
        case .text(let text): text.unicodeScalars.map { .string(String($0)) }
        case .unusable: []
        }
    }
}
