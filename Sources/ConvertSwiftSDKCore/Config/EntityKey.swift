package import ConvertECMAScript

/// The key of an entity as a config has it, which is text nearly always.
///
/// Two keys are equal as in ECMAScript's `===`: text is not a number with the same digits.
package struct EntityKey: Sendable, Hashable {
    /// What the wire had.
    package enum Kind: UInt8, Sendable {
        case text, number, boolean, null, missing
        /// An array or an object, which is no key.
        case unusable

        fileprivate init(_ cursor: JSONCursor?) {
            self =
                switch cursor?.kind {
                case .text: .text
                case .number: .number
                case .bool: .boolean
                case .null: .null
                case nil: .missing
                case .array, .object: .unusable
                }
        }
    }

    /// JavaScript's `String(key)`, which a look-up by one key compares: `undefined` for a missing key.
    package let lookUp: PropertyKey

    /// What the wire had.
    package let kind: Kind

    /// The key, or `nil` if there is none to show.
    package var text: String? {
        switch kind {
        case .text, .number, .boolean: lookUp.text
        case .null, .missing, .unusable: nil
        }
    }

    /// Whether the key is text on the wire. A list of wanted keys finds no other.
    package var isText: Bool { kind == .text }

    /// The key as the wire had it; `nil` for a missing one.
    package var value: JSValue? { kind.value(of: lookUp) }

    /// A key that is text.
    package init(_ text: String) {
        lookUp = PropertyKey(text)
        kind = .text
    }

    /// The key at `cursor`, which is `nil` for a missing one.
    init(_ cursor: JSONCursor?) {
        lookUp = cursor.map { $0.key ?? ECMAScript.toPropertyKey($0.value) } ?? PropertyKey("undefined")
        kind = Kind(cursor)
    }
}

extension EntityKey.Kind {
    /// The key as the wire had it; `nil` for a missing one. An array or an object is not kept, and is `null`.
    fileprivate func value(of key: PropertyKey) -> JSValue? {
        switch self {
        case .text: key.value
        case .number: JSValue(ECMAScript.stringToNumber(key.name))
        case .boolean: .bool(key.name == "true")
        case .null, .unusable: .null
        case .missing: nil
        }
    }
}
