internal import ConvertECMAScript

/// A feature: a flag with typed variables, carried by variations.
public struct Feature: Sendable {
    /// A variable's declaration.
    public struct Variable: Sendable, Hashable {
        /// The key.
        public var key: String { name.text }

        /// The key as values are found by it.
        let name: PropertyKey

        /// The type to cast to: `boolean`, `integer`, `float`, `string` or `json`. Of any other a value stays as it is.
        public let type: String?
    }

    /// The id, under which variations carry it.
    public let id: EntityID

    /// The key, or `nil` if the config gives none.
    public var key: String? { entityKey.text }

    /// The key as look-ups compare it.
    package let entityKey: EntityKey

    /// The name people gave it.
    public let name: String?

    /// The declared variables, in config order.
    public let variables: [Variable]
}

extension Feature {
    /// Reads a feature; only a missing id leaves it out.
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        variables = reader.entities(cursor[.variables]) { Variable($0, &$1) }
    }
}

extension Feature.Variable {
    /// Reads a declaration; only a missing key leaves it out.
    fileprivate init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let name = cursor[.key]?.key else {
            if cursor.isObject, cursor[.key] == nil {
                reader.report("left out: it has no key.", at: cursor)
            } else {
                reader.leaveOut(cursor, becauseOf: cursor[.key] ?? cursor)
            }
            return nil
        }
        self.name = name
        type = cursor[.type]?.text
    }
}
