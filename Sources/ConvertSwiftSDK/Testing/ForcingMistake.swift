import ConvertECMAScript
package import ConvertSwiftSDKCore

/// A forced answer that the project cannot give: it lacks the name, or declares a variable with another type.
package struct ForcingMistake: Sendable, Hashable {
    /// Whether the project does not have the experience or feature at all. If an answer is forced for several projects,
    /// it may be meant for another one.
    package let isOfUnknownEntity: Bool

    /// The problem, as a sentence without a full stop.
    package let text: String
}

extension ProjectConfig {
    /// The mistakes in `answers` for this project, in the order of the names.
    package func mistakes(in answers: ForcedAnswers) -> [ForcingMistake] {
        answers.variations.sorted { $0.key.name < $1.key.name }.compactMap { mistake(inForcing: $0.value, of: $0.key) }
            + answers.features.sorted { $0.key.name < $1.key.name }.flatMap { mistakes(inAnswering: $0.key, $0.value) }
    }

    private func mistake(inForcing variation: String, of key: PropertyKey) -> ForcingMistake? {
        guard let experience = experiences.first(where: { $0.entityKey.lookUp == key }) else {
            return unknown("experience", key, among: experiences.compactMap(\.key))
        }
        if experience.variation(named: variation) != nil { return nil }
        let question = UnknownName("variation", variation, among: experience.variations.compactMap(\.key)).question
        return ForcingMistake(
            isOfUnknownEntity: false,
            text: "experience '\(key.name.excerpt(80))' has no variation '\(variation.excerpt(80))' to force\(question)"
        )
    }

    private func mistakes(
        inAnswering key: PropertyKey, _ answer: ForcedAnswers.FeatureAnswer
    ) -> [ForcingMistake] {
        guard let feature = features.first(where: { $0.entityKey.lookUp == key }) else {
            return [unknown("feature", key, among: features.compactMap(\.key))]
        }
        guard case .enabled(let variables) = answer else { return [] }
        return variables.compactMap { variable in
            let name = variable.key.name
            guard let declared = feature.variables.first(where: { $0.key.hasSameCodeUnits(as: name) }) else {
                let question = UnknownName("variable", name, among: feature.variables.map(\.key)).question
                return ForcingMistake(
                    isOfUnknownEntity: false,
                    text: "feature '\(key.name.excerpt(80))' declares no variable '\(name.excerpt(80))'\(question)")
            }
            if declared.takes(variable.value) { return nil }
            return ForcingMistake(
                isOfUnknownEntity: false,
                text: "variable '\(name.excerpt(80))' of feature '\(key.name.excerpt(80))' is declared as "
                    + "\(declared.type ?? ""), and is enabled with \(variable.value.shown.excerpt(80))")
        }
    }

    private func unknown(_ kind: String, _ key: PropertyKey, among names: [String]) -> ForcingMistake {
        ForcingMistake(isOfUnknownEntity: true, text: UnknownName(kind, key.name, among: names).description)
    }
}

extension ProjectConfig.Feature.Variable {
    /// Whether a variable of this type can have `value`. A value that cannot be cast is `null`, and a variable of type
    /// `json` can have any value.
    fileprivate func takes(_ value: JSValue) -> Bool {
        if value.isNull { return true }
        return switch type {
        case "boolean": value.boolValue != nil
        case "integer": value.numberValue.map { Int(exactly: $0) != nil } ?? false
        case "float": value.numberValue != nil
        case "string": value.stringValue != nil
        default: true
        }
    }
}
