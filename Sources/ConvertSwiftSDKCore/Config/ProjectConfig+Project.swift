public import ConvertECMAScript

extension ProjectConfig {
    /// The project that a config belongs to.
    public struct Project: Sendable {
        /// The id.
        public let id: EntityID

        /// The display name.
        public let name: String?

        /// The type, such as `fullstack`.
        public let type: String?

        /// The environments that the project declares, as in the JSON.
        public let environments: JSValue?

        /// The project's settings, as in the JSON. Decisions ignore them.
        public let settings: JSValue?
    }
}

extension ProjectConfig.Project {
    /// Reads a project; `nil` if it has no id.
    init?(_ cursor: JSONCursor?) {
        guard let cursor, let id = cursor[.id].flatMap({ EntityID($0) }) else { return nil }
        self.id = id
        name = cursor[.name]?.shownText
        type = cursor[.type]?.text
        environments = cursor[.environments]?.value
        settings = cursor[.settings]?.value
    }
}
