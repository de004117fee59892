internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// An experience some variation of which carries a feature.
struct FeatureCarrier {
    let experience: ProjectConfig.Experience
    /// The key that the experience is looked up by in the new config.
    let key: PropertyKey
    /// The variables that calls for the feature read, as JSON text, by the places of the variations that carry it.
    var variables: [Int: String] = [:]

    init(_ experience: ProjectConfig.Experience, _ key: PropertyKey) {
        self.experience = experience
        self.key = key
    }

    /// The variables by what tells the variations' visitors from others.
    var variablesByAnswer: [PropertyKey: String] {
        Dictionary(
            variables.map { (experience.variations[$0].answer, $1) }, uniquingKeysWith: { first, _ in first })
    }
}
