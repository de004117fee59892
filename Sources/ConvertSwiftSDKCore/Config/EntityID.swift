public import ConvertECMAScript

/// The id of an account, a project or an entity: text on the wire, or a number.
///
/// Ids are equal as in ECMAScript's `===`: `"9"` and `9` are two ids, and text is compared by code units. Where the
/// reference compares ids as text (experiences, stored decisions, archived ids), ``text`` is what it compares.
public struct EntityID: Sendable, Hashable {
    /// What the wire had.
    package enum Kind: Sendable {
        case text, number, boolean
        /// Something that is there and no id: an array, an object, or a value that the decoder refuses.
        case unusable
    }

    /// The id as text, with its hash.
    package let key: PropertyKey

    /// What the wire had.
    package let kind: Kind

    /// The id as text; a number as Number::toString (ECMA-262 §6.1.6.1.20) spells it.
    public var text: String { key.name }

    private init(_ text: String, _ kind: Kind) {
        key = PropertyKey(text)
        self.kind = kind
    }

    /// An id that is text on the wire.
    public init(_ text: String) { self.init(text, .text) }

    /// The id that `value` holds, or `nil` if it is neither text nor a number.
    public init?(_ value: JSValue?) {
        switch value {
        case .string(let text): self.init(text)
        case .integer, .number: self.init(ECMAScript.toString(value), .number)
        default: return nil
        }
    }

    /// What stands for an id that cannot be used, and equals no id that can.
    static let unusable = EntityID("", .unusable)

    /// Whether the id counts as one in ECMAScript's ToBoolean: not empty, not `false`, and not the number 0.
    package var isTruthy: Bool {
        switch kind {
        case .text: !text.isEmpty
        case .number: text != "0" && text != "NaN"
        case .boolean: text == "true"
        case .unusable: true
        }
    }

    /// The id as the wire had it.
    package var value: JSValue {
        switch kind {
        case .text: .string(text)
        case .number: JSValue(ECMAScript.stringToNumber(text))
        case .boolean: .bool(text == "true")
        case .unusable: .null
        }
    }
}

extension EntityID: Decodable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Decodes text, a number or a boolean, or something unreadable, which equals no other id. Anything else fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text)
        } else if let number = try? container.decode(Double.self) {
            self.init(ECMAScript.toString(number), .number)
        } else if let flag = try? container.decode(Bool.self) {
            self.init(flag ? "true" : "false", .boolean)
        } else if (try? container.decode(JSValue.self)) == nil {
            self = .unusable
        } else {
            throw DecodingError.typeMismatch(
                EntityID.self, .init(codingPath: decoder.codingPath, debugDescription: "Expected an id."))
        }
    }

    /// The id as text.
    public var description: String { text }

    /// An id that is text on the wire.
    public init(stringLiteral text: String) { self.init(text) }
}

extension KeyedDecodingContainer {
    /// An entity's own id.
    ///
    /// - Throws: if there is none that anything could refer to.
    func entityID(_ key: Key) throws -> EntityID {
        let id = try decode(EntityID.self, forKey: key)
        guard id.kind != .unusable else {
            throw DecodingError.typeMismatch(
                EntityID.self, .init(codingPath: codingPath + [key], debugDescription: "Expected an id."))
        }
        return id
    }

    /// An entity's own id, which must not be empty either: the reference acts on no experience or goal without one.
    func truthyEntityID(_ key: Key) throws -> EntityID {
        let id = try entityID(key)
        guard id.isTruthy else {
            throw DecodingError.valueNotFound(
                EntityID.self,
                .init(codingPath: codingPath + [key], debugDescription: "Expected an id that is not empty."))
        }
        return id
    }
}
