internal import ConvertECMAScript

extension ProjectConfig {
    /// A custom segment: visitors are put into it when its rules match, and stay in it.
    public struct Segment: Sendable {
        /// The id, under which a visitor's custom segments are stored.
        public let id: EntityID

        /// The key, or `nil` if the config gives none.
        public var key: String? { entityKey.text }

        /// The key as look-ups compare it.
        package let entityKey: EntityKey

        /// The name people gave it.
        public let name: String?

        /// The rules; without any the segment never matches.
        public let rules: RuleTree?
    }
}

extension ProjectConfig.Segment {
    /// Reads a segment; only a missing id leaves it out.
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        rules = reader.rules(cursor[.rules])
        if rules == nil { reader.report("segment \(id.text.excerpt()) has no rules: it never matches.", at: cursor) }
    }
}
