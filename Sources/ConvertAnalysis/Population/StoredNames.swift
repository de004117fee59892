internal import ConvertECMAScript
package import ConvertSwiftSDKCore

/// The ids and keys of a config's experiences, for recognizing the names in stored decisions.
package struct StoredNames: Sendable {
    private let config: ProjectConfig
    private let placesByID: [PropertyKey: Int]
    private let placesByKey: [PropertyKey: Int]

    package init(_ config: ProjectConfig) {
        self.config = config
        let experiences = config.experiences
        placesByID = Dictionary(firstOf: experiences.enumerated().map { ($1.id.key, $0) })
        placesByKey = Dictionary(firstOf: experiences.enumerated().map { ($1.entityKey.lookUp, $0) })
    }

    /// Warnings about stored decisions that name an experience or a variation by key. Only ids count.
    package func warnings(ofKeysIn state: VisitorState) -> [String] {
        guard let bucketing = state.bucketing else { return [] }
        return bucketing.compactMap { stored in
            let owner = placesByID[stored.key]
            guard let place = owner ?? placesByKey[stored.key] else { return nil }
            let experience = config.experiences[place]
            let name = stored.value.stringValue.map { PropertyKey($0) }
            let isID = experience.variations.contains { $0.id?.key == name }
            let namesake = experience.variations.first { $0.key.map { PropertyKey($0) } == name }
            guard let key = owner == nil ? stored.key.name : isID ? nil : namesake?.key else { return nil }
            let id = isID ? name?.name : namesake?.id?.text
            return "bucketing takes ids, and '\(key.excerpt(80))' is a key, which is ignored; "
                + #"give {"bucketing": {"\#(experience.id.text)": "\#(id ?? "…")"}}"#
        }
    }
}
