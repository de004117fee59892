public import ConvertECMAScript

/// The id of an account, a project or an entity: a string or a number in the JSON.
///
/// Ids are equal as in ECMAScript's `===`: `"9"` and `9` are two ids, and strings are compared by code units. Where the
/// JavaScript SDK compares ids as text (experiences, stored decisions, archived ids), compare ``text``.
public struct EntityID: Sendable, Hashable {
    package enum Kind: Sendable {
        case text, number, boolean
        /// A value that cannot be an id: an array or an object.
        case unusable
    }

    package let key: PropertyKey

    /// The JSON type of the id.
    package let kind: Kind

    /// The id as text. U+FFFD replaces characters that a Swift string cannot hold. A number is formatted like
    /// Number::toString (ECMA-262 §6.1.6.1.20).
    public var text: String { key.text }

    private init(_ key: PropertyKey, _ kind: Kind) {
        self.key = key
        self.kind = kind
    }

    private init(_ text: String, _ kind: Kind) { self.init(PropertyKey(text), kind) }

    /// Creates an id that is a string in the JSON.
    public init(_ text: String) { self.init(text, .text) }

    /// Creates an id from `value`, or returns `nil` if it is neither text nor a number.
    public init?(_ value: JSValue?) {
        switch value {
        case .string(let text): self.init(text)
        case .illFormedString(let text): self.init(PropertyKey(text), .text)
        case .integer, .number: self.init(ECMAScript.toString(value), .number)
        default: return nil
        }
    }

    /// A placeholder for an id that cannot be used. It equals no usable id.
    static let unusable = EntityID("", .unusable)

    /// Whether ECMAScript's ToBoolean of the id is true: the id is not empty, not `false` and not the number 0.
    package var isTruthy: Bool {
        switch kind {
        case .text: !key.name.isEmpty
        case .number: text != "0" && text != "NaN"
        case .boolean: text == "true"
        case .unusable: true
        }
    }

    package var value: JSValue {
        switch kind {
        case .text: key.value
        case .number: JSValue(ECMAScript.stringToNumber(text))
        case .boolean: .bool(text == "true")
        case .unusable: .null
        }
    }
}

extension EntityID: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The id as text.
    public var description: String { text }

    /// Creates an id that is a string in the JSON.
    public init(stringLiteral text: String) { self.init(text) }
}

extension EntityID {
    /// Creates an id from text, a number or a boolean, which are the types of ids in configs. Returns `nil` for any
    /// other value.
    package init?(onWire value: JSValue?) {
        if case .bool(let flag)? = value {
            self.init(flag ? "true" : "false", .boolean)
        } else {
            self.init(value)
        }
    }

    /// Creates an id like ``init(onWire:)``, from a value in a parsed document.
    init?(_ cursor: JSONCursor) { self.init(onWire: cursor.value) }
}
