internal import ConvertECMAScript

extension ProjectConfig {
    /// A visitor action that experiences measure, such as a purchase.
    public struct Goal: Entity {
        /// The id, which tracking events carry.
        public let id: EntityID

        /// The key, or `nil` if the config has no key.
        public var key: String? { entityKey.text }

        package let entityKey: EntityKey

        /// The display name.
        public let name: String?

        /// The type, such as `code_trigger`.
        public let type: String?

        /// The rules that a conversion's rule data must match. They apply only to conversions with rule data.
        public let rules: RuleTree?
    }
}

extension ProjectConfig.Goal {
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor, mustBeTruthy: true) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        type = cursor[.type]?.text
        rules = reader.rules(cursor[.rules])
    }
}
