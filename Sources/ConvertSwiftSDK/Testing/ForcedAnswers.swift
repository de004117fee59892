package import ConvertECMAScript

/// Answers that an app's tests force: variations of experiences, and features on or off.
package struct ForcedAnswers: Sendable, Equatable {
    /// A forced state of a feature.
    package enum FeatureAnswer: Sendable, Equatable {
        case enabled(variables: JSObject)
        case disabled
    }

    /// The keys or ids of variations, by the keys of their experiences.
    package var variations: [PropertyKey: String] = [:]
    /// The features, by their keys.
    package var features: [PropertyKey: FeatureAnswer] = [:]

    /// Creates an instance without forced answers.
    package init() {}

    /// Whether nothing is forced.
    package var isEmpty: Bool { variations.isEmpty && features.isEmpty }

    /// These answers, overridden by `others`.
    package func merging(_ others: ForcedAnswers) -> ForcedAnswers {
        if isEmpty { return others }
        var answers = self
        answers.variations.merge(others.variations) { $1 }
        answers.features.merge(others.features) { $1 }
        return answers
    }

    /// The answers forced in the current task and its child tasks.
    @TaskLocal package static var ofTask = ForcedAnswers()
}
