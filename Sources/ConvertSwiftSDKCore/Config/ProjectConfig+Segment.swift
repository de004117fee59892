internal import ConvertECMAScript

extension ProjectConfig {
    /// A custom segment. A visitor enters it when its rules match, and stays in it.
    public struct Segment: Entity {
        /// The id, under which a visitor's custom segments are stored.
        public let id: EntityID

        /// The key, or `nil` if the config has no key.
        public var key: String? { entityKey.text }

        package let entityKey: EntityKey

        /// The display name.
        public let name: String?

        /// The rules. A segment without rules never matches.
        public let rules: RuleTree?
    }
}

extension ProjectConfig.Segment {
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        rules = reader.rules(of: cursor, "segment \(id.text.excerpt())")
    }
}
