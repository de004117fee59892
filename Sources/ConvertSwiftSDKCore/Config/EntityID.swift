public import ConvertECMAScript

/// The id of an account, a project or an entity: text on the wire, or a number.
///
/// Ids are equal as in ECMAScript's `===`: `"9"` and `9` are two ids, and text is compared by code units. Where the
/// reference compares ids as text (experiences, stored decisions, archived ids), ``text`` is what it compares.
public struct EntityID: Sendable, Hashable {
    /// What the wire had.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case text, number, boolean
        /// Something that is there and no id: an array or an object.
        case unusable
    }

    /// The id as text, with its hash.
    package let key: PropertyKey

    /// What the wire had.
    package let kind: Kind

    /// The id as text, with U+FFFD where Swift text cannot hold it; a number as Number::toString (ECMA-262 §6.1.6.1.20) spells it.
    public var text: String { key.text }

    private init(_ key: PropertyKey, _ kind: Kind) {
        self.key = key
        self.kind = kind
    }

    private init(_ text: String, _ kind: Kind) { self.init(PropertyKey(text), kind) }

    /// An id that is text on the wire.
    public init(_ text: String) { self.init(text, .text) }

    /// The id that `value` holds, or `nil` if it is neither text nor a number.
    public init?(_ value: JSValue?) {
        switch value {
        case .string(let text): self.init(text)
        case .illFormedString(let text): self.init(PropertyKey(text), .text)
        case .integer, .number: self.init(ECMAScript.toString(value), .number)
        default: return nil
        }
    }

    /// What stands for an id that cannot be used, and equals no id that can.
    static let unusable = EntityID("", .unusable)

    /// Whether the id counts as one in ECMAScript's ToBoolean: not empty, not `false`, and not the number 0.
    package var isTruthy: Bool {
        switch kind {
        case .text: !key.name.isEmpty
        case .number: text != "0" && text != "NaN"
        case .boolean: text == "true"
        case .unusable: true
        }
    }

    /// The id as the wire had it.
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

    /// An id that is text on the wire.
    public init(stringLiteral text: String) { self.init(text) }
}

extension EntityID {
    /// Reads text, a number or a boolean, as a config may have it; `nil` for anything else.
    package init?(onWire value: JSValue?) {
        if case .bool(let flag)? = value {
            self.init(flag ? "true" : "false", .boolean)
        } else {
            self.init(value)
        }
    }

    /// As ``init(onWire:)``.
    init?(_ cursor: JSONCursor) {
        switch cursor.kind {
        case .text: self.init(cursor.key ?? PropertyKey(""), .text)
        case .number: self.init(ECMAScript.toString(cursor.number ?? .nan), .number)
        case .bool: self.init(cursor.bool == true ? "true" : "false", .boolean)
        case .null, .array, .object: return nil
        }
    }
}
