// Answers hold a reference to the whole project, which neither descriptions nor dumps are to show.

extension BucketedVariation: CustomStringConvertible, CustomReflectable {
    /// The keys of experience and variation, and where the decision came from.
    public var description: String {
        "BucketedVariation(experience: \(experienceKey), variation: \(variationKey ?? variationID), \(source))"
    }

    /// A mirror of what the variation says.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "experienceID": experienceID, "experienceKey": experienceKey, "variationID": variationID,
                "variationKey": variationKey as Any, "source": source,
                "bucketingAllocation": bucketingAllocation as Any,
            ])
    }
}

extension Decision: CustomStringConvertible, CustomReflectable {
    /// The keys of experience and variation with where the decision came from, or why there is no variation.
    public var description: String {
        switch outcome {
        case .variation(let variation):
            "Decision(experience: \(variation.experienceKey), "
                + "variation: \(variation.variationKey ?? variation.variationID), \(variation.source))"
        case .none(let reason): "Decision(no variation: \(reason))"
        }
    }

    /// A mirror of what was decided.
    public var customMirror: Mirror { Mirror(self, children: ["outcome": outcome]) }
}

extension FeatureDecision: CustomStringConvertible, CustomReflectable {
    /// The features, and why there are none if nothing could be decided.
    public var description: String {
        reason.map { "FeatureDecision(nothing decided: \($0))" } ?? "FeatureDecision(\(features))"
    }

    /// A mirror of what was found.
    public var customMirror: Mirror { Mirror(self, children: ["features": features, "reason": reason as Any]) }
}

extension BucketedFeature: CustomStringConvertible, CustomReflectable {
    /// The feature's key, whether the visitor has it, and the key of the experience that carries it.
    public var description: String {
        let carrier = experienceKey.map { ", experience: \($0)" } ?? ""
        return "BucketedFeature(\(key ?? id ?? ""), \(status)\(carrier))"
    }

    /// A mirror of what the feature says.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id as Any, "key": key as Any, "name": name as Any, "status": status,
                "variables": variables as Any, "experienceID": experienceID as Any,
                "experienceKey": experienceKey as Any, "experienceName": experienceName as Any,
            ])
    }
}
