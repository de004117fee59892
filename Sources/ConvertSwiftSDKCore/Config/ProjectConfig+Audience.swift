internal import ConvertECMAScript

extension ProjectConfig {
    /// A named set of visitors, defined by a rule graph over their properties.
    public struct Audience: Entity {
        /// The id.
        public let id: EntityID

        // Stored here, it fits into the padding behind `id`.

        /// Whether the audience is of type `permanent`: visitors who are already bucketed are not checked again. An
        /// audience of any other type is checked at every decision.
        public let isPermanent: Bool

        /// The key, or `nil` if the config has no key.
        public var key: String? { entityKey.text }

        package let entityKey: EntityKey

        /// The display name.
        public let name: String?

        /// The rules. An audience without rules never matches.
        public let rules: RuleTree?
    }
}

extension ProjectConfig.Audience {
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        isPermanent = cursor[.type]?.isText("permanent") ?? false
        rules = reader.rules(of: cursor, "audience \(id.text.excerpt())")
    }
}
