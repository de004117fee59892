import ConvertMonitoring
public import ConvertSwiftSDKCore

extension ConvertContext {
    /// Finds a feature by deciding the experiences that carry it. New decisions are stored and reported, unless
    /// `options` say otherwise.
    ///
    /// - Parameters:
    ///   - key: the feature's key.
    ///   - options: the options of this call; forced variations in them are ignored.
    ///   - experienceKeys: the experiences to decide; empty means all that carry the feature.
    ///   - castsTypes: whether variables are cast to their declared types.
    /// - Returns: the feature, from the first experience that carries it for the visitor. It is disabled if no such
    ///   experience carries it, the config does not declare it, the visitor's id is empty, or there is no config yet.
    @inlinable
    public func feature(
        _ key: some ConvertKey, options: DecisionOptions = DecisionOptions(), experienceKeys: [String] = [],
        castsTypes: Bool = true
    ) -> BucketedFeature {
        feature(named: key.convertKey, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes)
    }

    @usableFromInline
    func feature(
        named key: String, options: DecisionOptions, experienceKeys: [String] = [], castsTypes: Bool = true
    ) -> BucketedFeature {
        let found: BucketedFeature?
        if basis.isAttended || needsCompletion(options) {
            let all = allFeatures(key, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes)
            found = all.features.first
        } else {
            found = answer(question(key, experienceKeys, castsTypes), options) { snapshot, visitor, options in
                snapshot.features.conclude(
                    key, for: &visitor, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes)
            } spelling: { conclusion, snapshot in
                conclusion.feature(key, in: snapshot.project)
            } recording: { conclusion, snapshot in
                FeatureDecision(key, conclusion, in: snapshot.project)
            } telling: { found in
                tell(found.features)
            } unready: {
                nil
            }
            warn(ifUnknownFeature: key, found?.disabledReason, experienceKeys)
        }
        return found ?? BucketedFeature(undeclaredKey: key)
    }

    /// Finds a feature in every experience that carries it for the visitor. Stores and reports like
    /// ``feature(_:options:experienceKeys:castsTypes:)``.
    ///
    /// - Returns: the feature once per experience, or once as disabled. If nothing could be decided, the result has no
    ///   features, but the reason.
    public func allFeatures(
        _ key: some ConvertKey, options: DecisionOptions = DecisionOptions(), experienceKeys: [String] = [],
        castsTypes: Bool = true
    ) -> FeatureDecision {
        let key = key.convertKey
        if needsCompletion(options) {
            return allFeatures(
                key, options: completed(options), experienceKeys: experienceKeys, castsTypes: castsTypes)
        }
        return hooked(.feature(key: key)) { findUnseen(key, options, experienceKeys, castsTypes) }
    }

    private func findUnseen(
        _ key: String, _ options: DecisionOptions, _ experienceKeys: [String], _ castsTypes: Bool
    ) -> FeatureDecision {
        if basis.isForcible, let forced = forcedFeature(key) {
            if tells(options, isPreviewing) { tell([forced]) }
            return FeatureDecision(features: [forced])
        }
        let found = find(question(key, experienceKeys, castsTypes), options) { snapshot, visitor, options in
            snapshot.features.feature(
                key, for: &visitor, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes)
        }
        warn(ifUnknownFeature: key, found.features.first?.disabledReason, experienceKeys)
        return found
    }

    private func question(_ key: String, _ experienceKeys: [String], _ castsTypes: Bool) -> LoggedQuestion {
        LoggedQuestion(question: .feature(key: key, experienceKeys: experienceKeys), castsTypes: castsTypes)
    }

    @inline(__always)
    private func find(
        _ question: @autoclosure () -> LoggedQuestion, _ options: DecisionOptions,
        _ body: (ConfigSnapshot, inout Visitor, DecisionOptions) -> Answer<FeatureDecision>
    ) -> FeatureDecision {
        answer(question(), options, body) { found, _ in
            found
        } recording: { found, _ in
            found
        } telling: { found in
            tell(found.features)
        } unready: {
            FeatureDecision(reason: .sdkNotReady)
        }
    }

    /// Returns all features: first the features of the visitor's variations, then all other declared features, as
    /// disabled. Decides all experiences. New decisions are stored and reported, unless `options` say otherwise.
    public func features(options: DecisionOptions = DecisionOptions(), castsTypes: Bool = true) -> [BucketedFeature] {
        decideFeatures(options: options, castsTypes: castsTypes).features
    }

    /// Returns all features like ``features(options:castsTypes:)``. If nothing could be decided, the result has the
    /// reason.
    public func decideFeatures(options: DecisionOptions = DecisionOptions(), castsTypes: Bool = true) -> FeatureDecision
    {
        if needsCompletion(options) { return decideFeatures(options: completed(options), castsTypes: castsTypes) }
        let found = find(LoggedQuestion(question: .features, castsTypes: castsTypes), options) {
            snapshot, visitor, options in
            snapshot.features.features(for: &visitor, options: options, castsTypes: castsTypes)
        }
        guard basis.isForcible, found.reason == nil else { return found }
        return FeatureDecision(features: forcingFeatures(found.features))
    }

    private func tell(_ features: [BucketedFeature]) {
        for feature in features {
            engine.hub.tell(
                .feature(
                    visitorID: visitorID, featureKey: feature.key, status: feature.status,
                    experienceKey: feature.experienceKey))
        }
    }

    /// Whether ``feature(_:options:experienceKeys:castsTypes:)`` finds the feature enabled. Stores and reports in the
    /// same way.
    @inlinable
    public func isFeatureEnabled(_ key: some ConvertKey, options: DecisionOptions = DecisionOptions()) -> Bool {
        feature(named: key.convertKey, options: options).status == .enabled
    }

    /// Whether the config declares a feature. Decides nothing.
    public func isFeatureDeclared(_ key: some ConvertKey) -> Bool { config?.features[key: key.convertKey] != nil }
}
