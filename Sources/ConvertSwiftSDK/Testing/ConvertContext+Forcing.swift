import ConvertECMAScript
import ConvertSwiftSDKCore

/// Answers that tests force. Only contexts of an offline SDK use them.
extension ConvertContext {
    /// The answers forced for the visitor. The current task's answers take precedence over the SDK's, and the SDK's
    /// over the process's.
    private var forcedAnswers: ForcedAnswers {
        guard let forced = engine.forced else { return ForcedAnswers() }
        return ForcedAnswerTable.everywhere.answers(of: visitorID).merging(forced.answers(of: visitorID))
            .merging(ForcedAnswers.ofTask)
    }

    /// The variations forced for the visitor now.
    var forcedVariations: [PropertyKey: String] {
        let variations = forcedAnswers.variations
        var answers = ForcedAnswers()
        answers.variations = variations
        report(mistakesIn: answers)
        return variations
    }

    /// The feature if it is forced for the visitor now, otherwise `nil`.
    func forcedFeature(_ key: String) -> BucketedFeature? {
        forcedAnswers.features[PropertyKey(key)].map { feature(key, as: $0) }
    }

    /// `features` with forced ones in place of theirs, followed by further forced ones.
    func forcingFeatures(_ features: [BucketedFeature]) -> [BucketedFeature] {
        let forced = forcedAnswers.features
        if forced.isEmpty { return features }
        var rest = forced
        var result: [BucketedFeature] = []
        for found in features {
            guard let key = found.key.map({ PropertyKey($0) }), let answer = forced[key] else {
                result.append(found)
                continue
            }
            // Added once, although several experiences may carry it.
            if rest.removeValue(forKey: key) != nil { result.append(feature(key.name, as: answer)) }
        }
        return result + rest.sorted { $0.key.name < $1.key.name }.map { feature($0.key.name, as: $0.value) }
    }

    private func feature(_ key: String, as answer: ForcedAnswers.FeatureAnswer) -> BucketedFeature {
        let declared = config?.features[key: key]
        var answers = ForcedAnswers()
        answers.features[PropertyKey(key)] = answer
        report(mistakesIn: answers)
        switch answer {
        case .enabled(let variables):
            return BucketedFeature(key: key, variables: variables, id: declared?.id.text, name: declared?.name)
        case .disabled:
            return BucketedFeature(key: key, status: .disabled, id: declared?.id.text, name: declared?.name)
        }
    }

    /// Logs the parts of `answers` that the project cannot give, each once, and reports them to the app's test.
    private func report(mistakesIn answers: ForcedAnswers) {
        guard !answers.isEmpty, let config else { return }
        for mistake in config.mistakes(in: answers) {
            engine.log.once(.key, mistake.text, mistake.text)
            engine.sink?.meet(mistake)
        }
    }
}
