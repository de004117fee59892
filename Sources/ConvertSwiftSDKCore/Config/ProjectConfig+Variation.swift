public import ConvertECMAScript

extension ProjectConfig {
    /// One arm of an experience.
    public struct Variation: Entity {
        /// The id; `nil` if it is missing. No visitor is bucketed into a variation without an id. If the id is an array
        /// or an object, the variation keeps its traffic share, but its visitors see no variation.
        public let id: EntityID?

        // Stored here, it fits into the padding behind `id`.

        /// Whether the variation runs: its status is `running`, missing, null or empty.
        public let isRunning: Bool

        /// The key, or `nil` if the config has no key.
        public var key: String? { entityKey.text }

        package let entityKey: EntityKey

        /// The display name.
        public let name: String?

        /// The share of visitors in percent, as in the config. Text is converted as in JavaScript. If the share is
        /// missing, the variation takes all visitors.
        public let trafficAllocation: JSValue?

        /// The changes that the variation makes, such as the features it carries.
        public package(set) var changes: [Change]

        /// A change that a variation makes.
        public struct Change: Sendable {
            /// The type, such as `fullStackFeature`.
            public let type: String?

            /// The payload, whose shape depends on the type.
            public let data: JSValue?
        }
    }
}

extension ProjectConfig.Variation {
    /// Reads a variation; a missing id is reported.
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard cursor.isObject else {
            reader.leaveOut(
                cursor, becauseOf: cursor, remedy: "Write an object with an id, a key and a traffic_allocation.")
            return nil
        }
        id = cursor[.id].flatMap { EntityID($0) ?? ($0.isTruthy ? .unusable : nil) }
        if id == nil {
            reader.report(
                "a variation without id: no visitor is bucketed into it.", at: cursor,
                remedy: "Give it an id of its own, as text.")
        }
        name = cursor[.name]?.shownText
        entityKey = EntityKey(cursor[.key])
        isRunning = cursor[.status].map { $0.isText("running") || !$0.isTruthy } ?? true
        let changes = cursor[.changes]
        trafficAllocation = cursor[.trafficAllocation]?.value
        self.changes = reader.entities(changes) { Change($0, &$1) }
    }
}

extension ProjectConfig.Variation.Change {
    fileprivate init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard cursor.isObject else {
            reader.leaveOut(cursor, becauseOf: cursor, remedy: "Write an object with type and data.")
            return nil
        }
        type = cursor[.type]?.text
        data = reader.value(cursor[.data])
    }
}
