package import ConvertECMAScript

/// The key of an entity as a config has it, which is text nearly always.
package struct EntityKey: Sendable, Hashable {
    /// What the wire had.
    private enum Kind: UInt8, Sendable {
        case text
        /// A number or a boolean, which people see as text.
        case scalar
        /// Nothing, `null`, an array or an object.
        case none
    }

    /// JavaScript's `String(key)`, which a look-up by one key compares: `undefined` for a missing key.
    package let lookUp: PropertyKey

    private let kind: Kind

    /// The key, or `nil` if there is none to show.
    package var text: String? { kind == .none ? nil : lookUp.text }

    /// Whether the key is text on the wire. A list of wanted keys finds no other.
    package var isText: Bool { kind == .text }

    /// A key that is text.
    package init(_ text: String) {
        lookUp = PropertyKey(text)
        kind = .text
    }

    /// The key at `cursor`, which is `nil` for a missing one.
    init(_ cursor: JSONCursor?) {
        lookUp = cursor.map { $0.key ?? ECMAScript.toPropertyKey($0.value) } ?? PropertyKey("undefined")
        kind =
            switch cursor?.kind {
            case .text: .text
            case .number, .bool: .scalar
            case nil, .null, .array, .object: .none
            }
    }
}
