internal import ConvertECMAScript

extension ProjectConfig {
    /// A place in the app or site, defined by a rule graph over location properties.
    public struct Location: Entity {
        /// The id.
        public let id: EntityID

        /// The key, under which a visitor's locations are stored, or `nil` if the config has no key.
        public var key: String? { entityKey.text }

        package let entityKey: EntityKey

        /// The display name.
        public let name: String?

        /// The rules. A location without rules never matches.
        public let rules: RuleTree?
    }
}

extension ProjectConfig.Location {
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        rules = reader.rules(of: cursor, "location \(id.text.excerpt())")
    }
}
