import ConvertECMAScript
import ConvertSwiftSDKCore

extension ProjectConfig {
    /// Returns this config with one experience of `other` and with the features that only `other` declares. The
    /// experience replaces the experience with the same id.
    ///
    /// - Returns: the config, or `nil` if `other` belongs to another project or has no such experience.
    func borrowing(experienceID: String, from other: ProjectConfig) -> ProjectConfig? {
        let experienceID = PropertyKey(experienceID)
        guard other.accountID.key == accountID.key, other.project.id.key == project.id.key,
            let borrowed = other.experiences.first(where: { $0.id.key == experienceID })
        else { return nil }
        var config = self
        config.diagnostics = []
        if let index = experiences.firstIndex(where: { $0.id.key == experienceID }) {
            config.experiences[index] = borrowed
        } else {
            config.experiences.append(borrowed)
        }
        let known = Set(features.map(\.id.key))
        config.features += other.features.filter { !known.contains($0.id.key) }
        return config
    }
}
