internal import ConvertECMAScript

extension ProjectConfig {
    /// A place in the app or site, told by a rule graph over location properties.
    public struct Location: Sendable {
        /// The id.
        public let id: EntityID

        /// The key as the reference compares it, under which a visitor's locations are stored; absent is `undefined`.
        public let key: String

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
        key = cursor.entityKey
        name = cursor[.name]?.text
        rules = reader.rules(.rules, of: cursor)
        if rules == nil { reader.report("location \(id) has no rules: it never matches.", at: cursor) }
    }
}
