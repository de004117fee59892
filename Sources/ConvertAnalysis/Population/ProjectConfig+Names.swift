internal import ConvertECMAScript
package import ConvertSwiftSDKCore

extension ProjectConfig {
    /// The first experience with this key, or else the one with this id; `nil` if the config contains neither.
    package func experience(named name: String) -> Experience? {
        let name = PropertyKey(name)
        return experiences.first { $0.entityKey.lookUp == name } ?? experiences.first { $0.id.key == name }
    }

    /// The first feature with this key, or else the one with this id; `nil` if the config contains neither.
    package func feature(named name: String) -> Feature? {
        let name = PropertyKey(name)
        return features.first { $0.entityKey.lookUp == name } ?? features.first { $0.id.key == name }
    }
}

extension ProjectConfig.Variation {
    /// The key, or else the id.
    package var keyOrID: String? { key ?? id?.text }
}
