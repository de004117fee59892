internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// An experience with variations that carry a feature.
struct FeatureCarrier {
    let experience: ProjectConfig.Experience
    /// The key by which calls find the experience in the new config.
    let key: PropertyKey
    /// The variables that calls for the feature read, as JSON text, by the indices of the variations that carry it.
    var variables: [Int: String] = [:]

    init(_ experience: ProjectConfig.Experience, _ key: PropertyKey) {
        self.experience = experience
        self.key = key
    }

    /// The variables, by the answer that identifies each variation.
    var variablesByAnswer: [PropertyKey: String] {
        let inOrder = variables.sorted { $0.key < $1.key }
        return Dictionary(firstOf: inOrder.map { (experience.variations[$0.key].answer, $0.value) })
    }
}
