public import ConvertECMAScript

/// The id of an account, a project or an entity: text on the wire, or a number.
///
/// Ids are equal as in ECMAScript's `===`: `"9"` and `9` are two ids, and text is compared by code units. Where the
/// reference compares ids as text (experiences, stored decisions, archived ids), ``text`` is what it compares.
public struct EntityID: Sendable, Hashable {
    /// The id as text, a number as Number::toString spells it, with its hash.
    package let key: PropertyKey

    /// Whether the wire had a number.
    public let isNumber: Bool

    /// The id as text; a number as Number::toString (ECMA-262 §6.1.6.1.20) spells it.
    public var text: String { key.name }

    private init(key: PropertyKey, isNumber: Bool) {
        self.key = key
        self.isNumber = isNumber
    }

    /// An id that is text on the wire.
    public init(_ text: String) { self.init(key: PropertyKey(text), isNumber: false) }

    /// The id that `value` holds, or `nil` if it is neither text nor a number.
    public init?(_ value: JSValue?) {
        switch value {
        case .string(let text): self.init(text)
        case .integer, .number:
            self.init(key: PropertyKey(ECMAScript.toString(value)), isNumber: true)
        default: return nil
        }
    }

    /// Whether the id counts as one in ECMAScript's ToBoolean: not empty, and not the number 0.
    package var isTruthy: Bool {
        isNumber ? text != "0" && text != "NaN" : !text.isEmpty
    }

    /// The id as the wire had it.
    package var value: JSValue {
        isNumber ? JSValue(ECMAScript.stringToNumber(text)) : .string(text)
    }
}

extension EntityID: Decodable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Decodes text or a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text)
        } else {
            self.init(key: PropertyKey(ECMAScript.toString(try container.decode(Double.self))), isNumber: true)
        }
    }

    /// The id as text.
    public var description: String { text }

    /// An id that is text on the wire.
    public init(stringLiteral text: String) { self.init(text) }
}
