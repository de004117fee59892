internal import ConvertECMAScript

extension ProjectConfig {
    /// A place in the app or site, defined by a rule graph over location properties.
    public struct Location: Sendable {
        /// The id.
        public let id: EntityID

        /// The key, under which a visitor's locations are stored, or `nil` if the config gives none.
        public var key: String? { entityKey.text }

        /// The key as look-ups compare it.
        package let entityKey: EntityKey

        /// The name people gave it.
        public let name: String?

        /// The rules; without any the location never matches.
        public let rules: RuleTree?
    }
}

extension ProjectConfig.Location {
    /// Reads a location; only a missing id leaves it out.
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        rules = reader.rules(cursor[.rules])
        if rules == nil { reader.report("location \(id.text.excerpt()) has no rules: it never matches.", at: cursor) }
    }
}
