internal import ConvertECMAScript

extension ProjectConfig {
    /// An entity of a config. Arrays of entities can be searched by key and by id.
    ///
    ///     let experience = config.experiences[key: "checkout"]
    public protocol Entity: Sendable {
        /// The type of the id: optional for variations, whose id may be missing.
        associatedtype ID

        /// The id.
        var id: ID { get }

        /// The key, or `nil` if the config has no key.
        var key: String? { get }
    }
}

extension Array where Element: ProjectConfig.Entity {
    /// The first entity with the key, compared by code units; `nil` if there is no such entity. A look-up takes time
    /// linear to the number of entities.
    public subscript(key key: String) -> Element? { first { $0.key?.hasSameCodeUnits(as: key) ?? false } }

    /// The first entity with the id, compared as text; `nil` if there is no such entity. A look-up takes time linear to
    /// the number of entities.
    public subscript(id id: String) -> Element? {
        first { entity in
            let own = entity.id as? EntityID
            return own.map { !$0.key.isIllFormed && $0.key.name.hasSameCodeUnits(as: id) } ?? false
        }
    }
}
