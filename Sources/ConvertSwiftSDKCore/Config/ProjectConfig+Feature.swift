internal import ConvertECMAScript

extension ProjectConfig {
    /// A feature: a flag with typed variables, carried by variations.
    public struct Feature: Entity {
        /// A variable's declaration.
        public struct Variable: Sendable, Hashable {
            /// The key.
            public var key: String { name.text }

            /// The key in the form that look-ups compare.
            let name: PropertyKey

            /// The type to cast to: `boolean`, `integer`, `float`, `string` or `json`. With any other type, values stay
            /// unchanged.
            public let type: String?
        }

        /// The id, by which variations refer to the feature.
        public let id: EntityID

        /// The key, or `nil` if the config has no key.
        public var key: String? { entityKey.text }

        package let entityKey: EntityKey

        /// The display name.
        public let name: String?

        /// The declared variables, in config order.
        public let variables: [Variable]
    }
}

extension ProjectConfig.Feature {
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        variables = reader.entities(cursor[.variables]) { Variable($0, &$1) }
    }
}

extension ProjectConfig.Feature.Variable {
    /// Reads a declaration. Returns `nil` only if the key is missing or not text.
    fileprivate init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let name = cursor[.key]?.key else {
            if cursor.isObject, cursor[.key] == nil {
                reader.report("left out: it has no key.", at: cursor, remedy: "Give it a key, as text.")
            } else {
                reader.leaveOut(
                    cursor, becauseOf: cursor[.key] ?? cursor,
                    remedy: "Write an object with a key, as text, and a type.")
            }
            return nil
        }
        self.name = name
        type = cursor[.type]?.text
    }
}
