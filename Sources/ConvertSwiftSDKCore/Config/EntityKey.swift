package import ConvertECMAScript

/// The key of an entity in a config. It is nearly always text.
///
/// Two keys are equal as in ECMAScript's `===`: text is not equal to a number with the same digits.
package struct EntityKey: Sendable, Hashable {
    /// JavaScript's `String(key)`, which look-ups of a single key compare: `undefined` for a missing key.
    package let lookUp: PropertyKey

    /// The JSON type of the key; `nil` for a missing key.
    package let kind: JSONCursor.Kind?

    /// The key as text, or `nil` if there is no key to display.
    package var text: String? {
        switch kind {
        case .text, .number, .bool: lookUp.text
        case .null, .array, .object, nil: nil
        }
    }

    /// Whether the key is text in the JSON. A look-up of a list of keys finds only text keys.
    package var isText: Bool { kind == .text }

    /// Creates a key that is text.
    package init(_ text: String) {
        lookUp = PropertyKey(text)
        kind = .text
    }

    /// Creates the key at `cursor`; a `nil` cursor means that the key is missing.
    init(_ cursor: JSONCursor?) {
        lookUp = cursor.map { $0.key ?? ECMAScript.toPropertyKey($0.value) } ?? PropertyKey("undefined")
        kind = cursor?.kind
    }
}
