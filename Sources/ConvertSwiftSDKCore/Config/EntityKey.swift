package import ConvertECMAScript

/// The key of an entity in a config. It is nearly always text.
///
/// Two keys are equal as in ECMAScript's `===`: text is not equal to a number with the same digits.
package struct EntityKey: Sendable, Hashable {
    /// The JSON type of the key.
    package enum Kind: UInt8, Sendable {
        case text, number, boolean, null, missing
        /// A value that cannot be a key: an array or an object.
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

    /// JavaScript's `String(key)`, which look-ups of a single key compare: `undefined` for a missing key.
    package let lookUp: PropertyKey

    /// The JSON type of the key.
    package let kind: Kind

    /// The key as text, or `nil` if there is no key to display.
    package var text: String? {
        switch kind {
        case .text, .number, .boolean: lookUp.text
        case .null, .missing, .unusable: nil
        }
    }

    /// Whether the key is text in the JSON. A look-up of a list of keys finds only text keys.
    package var isText: Bool { kind == .text }

    /// The key as a JSON value of its original type; `nil` for a missing key.
    package var value: JSValue? { kind.value(of: lookUp) }

    /// Creates a key that is text.
    package init(_ text: String) {
        lookUp = PropertyKey(text)
        kind = .text
    }

    /// Creates the key at `cursor`; a `nil` cursor means that the key is missing.
    init(_ cursor: JSONCursor?) {
        lookUp = cursor.map { $0.key ?? ECMAScript.toPropertyKey($0.value) } ?? PropertyKey("undefined")
        kind = Kind(cursor)
    }
}

extension EntityKey.Kind {
    /// The key as a JSON value of its original type; `nil` for a missing key. Arrays and objects are not kept, and
    /// become `null`.
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
