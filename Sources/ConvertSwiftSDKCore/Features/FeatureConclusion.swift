/// The result of a call for one feature, as indices into the project: a compact ``FeatureDecision``.
package struct FeatureConclusion: Sendable {
    /// Index of the feature's declaration; `nil` if the config does not declare it.
    let declaration: Int?
    let castsTypes: Bool
    /// Why no decision was made; `nil` if a decision was made.
    var reason: Decision.Reason?
    private var first: CarriedPlace?
    /// The places after the first one.
    // Keep them apart from the first place: a list allocates memory that few calls need.
    fileprivate var others: [CarriedPlace] = []

    init(declaration: Int?, castsTypes: Bool) {
        self.declaration = declaration
        self.castsTypes = castsTypes
    }

    mutating func add(_ place: CarriedPlace) {
        if first == nil { first = place } else { others.append(place) }
    }

    /// The feature from the first experience that carries it for the visitor, or the feature as disabled; `nil` if no
    /// decision was made.
    ///
    /// - Parameter key: the requested key.
    package func feature(_ key: String, in project: borrowing Project) -> BucketedFeature? {
        if reason != nil { return nil }
        guard let declaration else { return BucketedFeature(undeclaredKey: key) }
        if let first { return BucketedFeature(first, castsTypes: castsTypes, in: project) }
        let isText = project.config.features[declaration].entityKey.isText
        return BucketedFeature(disabled: declaration, asked: isText ? nil : key, in: project)
    }
}

/// A place at which a visitor has a feature.
package struct CarriedPlace: Sendable {
    /// Index among the features that variations carry.
    let feature: Int
    /// Index of the experience whose variation carries the feature.
    let experience: Int
}

extension FeatureDecision {
    /// Creates the decision on the feature `key` that `conclusion` refers to in `project`.
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
