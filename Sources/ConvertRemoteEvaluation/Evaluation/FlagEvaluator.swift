import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// Evaluates flags for one visitor with one config, through the visitor's context.
struct FlagEvaluator {
    /// The evaluation of a flag, or why it could not be evaluated.
    typealias Outcome = Result<FlagEvaluation, FlagError>

    let index: FlagIndex
    let context: ConvertContext
    let reportsExposure: Bool

    private var options: DecisionOptions {
        var options = DecisionOptions()
        if !reportsExposure {
            options.isTrackingEnabled = false
            options.isStorageEnabled = false
            options.suppressesEvents = true
        }
        return options
    }

    /// Evaluates one flag.
    func evaluate(_ key: String) throws(FlagError) -> FlagEvaluation {
        guard !context.visitorID.isEmpty else {
            throw FlagError(.targetingKeyMissing, "the visitor's id is empty.")
        }
        guard let flag = index[key] else {
            throw FlagError(
                .flagNotFound, "no feature, variable or experience has the key '\(key.excerpt(80).onOneLine)'.")
        }
        let mapping = FlagMapping(index: index, showsStored: true)
        switch flag {
        case .experience(let place):
            return try mapping.outcome(of: context.decide(key, options: options), at: place).get()
        case .feature(let feature), .variable(let feature, _, _), .variables(let feature):
            let answer = context.featureAnswer(feature.key, options: options)
            if let reason = answer.found.reason, let failure = FlagMapping.failure(for: reason) { throw failure }
            let found = answer.found.features.first ?? BucketedFeature(undeclaredKey: feature.key)
            return mapping.evaluation(of: flag, found, isArchived: feature.isArchived, answer.decision)
        }
    }

    /// Evaluates all flags, in the order of the index.
    ///
    /// All experiences are decided first, in config order. Each decision takes the earlier ones into account, as in a
    /// context.
    func evaluateAll() -> [(key: String, outcome: Outcome)] {
        let mapping = FlagMapping(index: index, showsStored: false)
        let decisions = context.decisionsByPlace(options: options)
        func decision(at place: Int) -> Decision? { decisions.indices.contains(place) ? decisions[place] : nil }
        // Without features there is nothing to find, and to look for it decides all experiences again.
        let found = index.hasFeatures ? context.decideFeatures(options: options) : FeatureDecision(features: [])
        var features: [PropertyKey: BucketedFeature] = [:]
        for feature in found.features {
            guard let key = feature.key.map({ PropertyKey($0) }) else { continue }
            if features[key] == nil { features[key] = feature }
        }
        let failure = found.reason.flatMap(FlagMapping.failure)
        return index.all.map { key, flag in
            switch flag {
            case .experience(let place):
                // Malformed rules can end the call before the last experience.
                guard let decision = decision(at: place) else {
                    return (key, .failure(.undecidable(.malformedRules)))
                }
                return (key, mapping.outcome(of: decision, at: place))
            case .feature(let entry), .variable(let entry, _, _), .variables(let entry):
                if let failure { return (key, .failure(failure)) }
                let feature = features[PropertyKey(entry.key)] ?? BucketedFeature(undeclaredKey: entry.key)
                let carrier = feature.experienceID.flatMap { index.experience(id: $0) }
                let decision = carrier.flatMap(decision)
                return (
                    key, .success(mapping.evaluation(of: flag, feature, isArchived: entry.isArchived, decision))
                )
            }
        }
    }
}
