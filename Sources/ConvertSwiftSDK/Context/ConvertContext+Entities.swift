import ConvertECMAScript
public import ConvertSwiftSDKCore

/// What the config says. A look-up takes time linear to the entities of its kind, and answers `nil` if no entity
/// matches or there is no config yet. Of several entities with one key or id it returns the first.
extension ConvertContext {
    /// The config that the context decides on, or `nil` before the first config.
    public var config: ProjectConfig? { withVisitor { _, snapshot, _ in snapshot.config } }

    /// The experience with the key.
    public func configExperience(key: String) -> Experience? {
        find(\.experiences) { $0.entityKey.has(key) }
    }

    /// The experience with the id.
    public func configExperience(id: String) -> Experience? { find(\.experiences) { $0.id.has(id) } }

    /// The audience with the key.
    public func configAudience(key: String) -> Audience? { find(\.audiences) { $0.entityKey.has(key) } }

    /// The audience with the id.
    public func configAudience(id: String) -> Audience? { find(\.audiences) { $0.id.has(id) } }

    /// The location with the key.
    public func configLocation(key: String) -> ProjectConfig.Location? {
        find(\.locations) { $0.entityKey.has(key) }
    }

    /// The location with the id.
    public func configLocation(id: String) -> ProjectConfig.Location? { find(\.locations) { $0.id.has(id) } }

    /// The segment with the key.
    public func configSegment(key: String) -> ProjectConfig.Segment? {
        find(\.segments) { $0.entityKey.has(key) }
    }

    /// The segment with the id.
    public func configSegment(id: String) -> ProjectConfig.Segment? { find(\.segments) { $0.id.has(id) } }

    /// The feature with the key.
    public func configFeature(key: String) -> Feature? { find(\.features) { $0.entityKey.has(key) } }

    /// The feature with the id.
    public func configFeature(id: String) -> Feature? { find(\.features) { $0.id.has(id) } }

    /// The goal with the key.
    public func configGoal(key: String) -> Goal? { find(\.goals) { $0.entityKey.has(key) } }

    /// The goal with the id.
    public func configGoal(id: String) -> Goal? { find(\.goals) { $0.id.has(id) } }

    /// The variation with the key, of the experiences in config order.
    public func configVariation(key: String) -> Variation? {
        variation { $0.key?.hasSameCodeUnits(as: key) ?? false }
    }

    /// The variation with the id, of the experiences in config order.
    public func configVariation(id: String) -> Variation? { variation { $0.id?.has(id) ?? false } }

    private func find<Entity>(_ list: KeyPath<ProjectConfig, [Entity]>, _ isMeant: (Entity) -> Bool) -> Entity? {
        config?[keyPath: list].first(where: isMeant)
    }

    private func variation(_ isMeant: (Variation) -> Bool) -> Variation? {
        guard let config else { return nil }
        for experience in config.experiences {
            if let variation = experience.variations.first(where: isMeant) { return variation }
        }
        return nil
    }
}

extension EntityKey {
    fileprivate func has(_ text: String) -> Bool { !lookUp.isIllFormed && lookUp.name.hasSameCodeUnits(as: text) }
}

extension EntityID {
    fileprivate func has(_ text: String) -> Bool { !key.isIllFormed && key.name.hasSameCodeUnits(as: text) }
}
