public import ConvertECMAScript
public import ConvertSwiftSDKCore

extension ConvertContext {
    /// Finds a feature, by deciding the experiences that carry it.
    ///
    /// - Parameters:
    ///   - key: the feature's key.
    ///   - options: what this call says; a forced variation does not count.
    ///   - experienceKeys: the experiences to look at; empty means all.
    ///   - castsTypes: whether variables are cast to their declared types.
    /// - Returns: the feature, from the first experience that carries it for the visitor; disabled if none does, if the
    ///   config does not declare it, the visitor's id is empty, or there is no config yet.
    public func feature(
        _ key: String, options: DecisionOptions = DecisionOptions(), experienceKeys: [String] = [],
        castsTypes: Bool = true
    ) -> BucketedFeature {
        allFeatures(key, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes).features.first
            ?? .undeclared(key: key)
    }

    /// Finds a feature in every experience that carries it for the visitor.
    ///
    /// - Returns: the feature once per experience, or once as disabled; without any, the reason why.
    public func allFeatures(
        _ key: String, options: DecisionOptions = DecisionOptions(), experienceKeys: [String] = [],
        castsTypes: Bool = true
    ) -> FeatureDecision {
        if needsCompletion(options) {
            return allFeatures(
                key, options: completed(options), experienceKeys: experienceKeys, castsTypes: castsTypes)
        }
        return find(options) { snapshot, visitor in
            snapshot.features.feature(
                key, for: &visitor, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes)
        }
    }

    /// Finds all features: those that the visitor's variations carry, then every other declared one as disabled.
    public func features(options: DecisionOptions = DecisionOptions(), castsTypes: Bool = true) -> [BucketedFeature] {
        decideFeatures(options: options, castsTypes: castsTypes).features
    }

    /// Finds all features as ``features(options:castsTypes:)`` does, and tells the reason if there are none because nothing
    /// could be decided.
    public func decideFeatures(options: DecisionOptions = DecisionOptions(), castsTypes: Bool = true) -> FeatureDecision
    {
        if needsCompletion(options) { return decideFeatures(options: completed(options), castsTypes: castsTypes) }
        return find(options) { snapshot, visitor in
            snapshot.features.features(for: &visitor, options: options, castsTypes: castsTypes)
        }
    }

    /// Whether the visitor has a feature, as ``feature(_:options:experienceKeys:castsTypes:)`` finds it.
    public func isFeatureEnabled(_ key: String, options: DecisionOptions = DecisionOptions()) -> Bool {
        feature(key, options: options).status == .enabled
    }

    /// Whether the config declares a feature. Nothing is decided for it.
    public func isFeatureDeclared(_ key: String) -> Bool { configFeature(key: key) != nil }

    @inline(__always)
    private func find(
        _ options: DecisionOptions, _ body: (ConfigSnapshot, inout Visitor) -> FeatureDecision
    ) -> FeatureDecision {
        let found = answer(options, body) { found in
            for feature in found.features {
                engine.hub.tell(
                    .feature(
                        visitorID: visitorID, featureKey: feature.key, status: feature.status,
                        experienceKey: feature.experienceKey))
            }
        }
        return found ?? FeatureDecision(features: [], reason: .sdkNotReady, effects: [])
    }
}

extension BucketedFeature {
    /// The variable as a boolean; `nil` if there is none, or it is of another type.
    public func boolean(_ variable: String) -> Bool? { self[variable]?.boolValue }

    /// The variable as a whole number; `nil` if there is none, or it is none, NaN included.
    public func integer(_ variable: String) -> Int? {
        switch self[variable] {
        case .integer(let integer): integer
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The variable as a number; `nil` if there is none, or it is of another type. What cannot be cast is NaN, as in the
    /// reference.
    public func number(_ variable: String) -> Double? { self[variable]?.numberValue }

    /// The variable as text; `nil` if there is none, or it is of another type.
    public func string(_ variable: String) -> String? { self[variable]?.stringValue }

    /// The variable as an object; `nil` if there is none, or it is of another type.
    public func object(_ variable: String) -> JSObject? { self[variable]?.objectValue }
}
