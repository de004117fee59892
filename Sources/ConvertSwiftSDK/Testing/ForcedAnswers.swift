package import ConvertECMAScript

/// Answers that tests of an app force: variations of experiences, and features on or off.
package struct ForcedAnswers: Sendable, Equatable {
    /// A feature that is forced.
    package enum FeatureAnswer: Sendable, Equatable {
        case enabled(variables: JSObject)
        case disabled
    }

    /// Keys or ids of variations, by the keys of their experiences.
    package var variations: [PropertyKey: String] = [:]
    /// Features by their keys.
    package var features: [PropertyKey: FeatureAnswer] = [:]

    /// Nothing is forced.
    package init() {}

    /// Whether nothing is forced.
    package var isEmpty: Bool { variations.isEmpty && features.isEmpty }

    /// These answers with `others` over them.
    package func merging(_ others: ForcedAnswers) -> ForcedAnswers {
        if isEmpty { return others }
        var answers = self
        answers.variations.merge(others.variations) { $1 }
        answers.features.merge(others.features) { $1 }
        return answers
    }

    /// What is forced for the current task and the tasks that it begins.
    @TaskLocal package static var ofTask = ForcedAnswers()
}
