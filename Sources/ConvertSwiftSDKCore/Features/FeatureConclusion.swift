/// What a call for one feature came to, as indices into the project: a ``FeatureDecision`` before it is spelled out.
package struct FeatureConclusion: Sendable {
    /// Index of the feature's declaration; `nil` if the config does not declare it.
    let declaration: Int?
    let castsTypes: Bool
    /// Why nothing was decided, if that is so.
    var reason: Decision.Reason?
    private var first: CarriedPlace?
    /// Apart from the first, since a list takes memory that few calls need.
    fileprivate var others: [CarriedPlace] = []

    init(declaration: Int?, castsTypes: Bool) {
        self.declaration = declaration
        self.castsTypes = castsTypes
    }

    /// Adds a place at which the visitor has the feature.
    mutating func add(_ place: CarriedPlace) {
        if first == nil { first = place } else { others.append(place) }
    }

    /// The feature from the first experience that carries it for the visitor, or as disabled; `nil` if nothing was decided.
    ///
    /// - Parameter key: the key that was asked for.
    package func feature(_ key: String, in project: borrowing Project) -> BucketedFeature? {
        if reason != nil { return nil }
        guard let declaration else { return BucketedFeature(undeclaredKey: key) }
        if let first { return BucketedFeature(first, castsTypes: castsTypes, in: project) }
        let isText = project.config.features[declaration].entityKey.isText
        return BucketedFeature(disabled: declaration, asked: isText ? nil : key, in: project)
    }
}

/// Where a visitor has a feature.
package struct CarriedPlace: Sendable {
    /// Index among the features that variations carry.
    let feature: Int
    /// Index of the experience that gives it.
    let experience: Int
}

extension FeatureDecision {
    /// What `conclusion` on the feature with `key` stands for in `project`.
    package init(_ key: String, _ conclusion: FeatureConclusion, in project: borrowing Project) {
        guard let first = conclusion.feature(key, in: project) else {
            self.init(reason: conclusion.reason ?? .missingVisitorID)
            return
        }
        var features = [first]
        for place in conclusion.others {
            features.append(BucketedFeature(place, castsTypes: conclusion.castsTypes, in: project))
        }
        self.init(features: features)
    }
}
