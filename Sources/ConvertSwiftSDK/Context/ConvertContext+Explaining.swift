public import ConvertECMAScript
public import ConvertSwiftSDKCore

// Explanations cost far more than decisions. They store and report nothing, and listeners receive nothing. Printed,
// each is the tree that `convert-sdk` prints.

extension ConvertContext {
    /// Explains the visitor's decision for an experience: every gate, rule and comparison. `nil` before there
    /// is a config.
    ///
    ///     print(context.explain("checkout") ?? "no config yet")
    public func explain(_ key: some ConvertKey, options: DecisionOptions = DecisionOptions()) -> Explanation? {
        let (key, options) = (key.convertKey, completed(options))
        return withVisitor { _, snapshot, visitor in
            snapshot.experiences.explain(key, for: visitor, options: options)
        }
    }

    /// Explains whether the visitor has a feature: the decision for each experience that carries it, and its reasons.
    /// `nil` before there is a config.
    public func explainFeature(
        _ key: some ConvertKey, options: DecisionOptions = DecisionOptions()
    ) -> FeatureExplanation? {
        let (key, options) = (key.convertKey, completed(options))
        return withVisitor { _, snapshot, visitor in
            snapshot.features.explain(key, for: visitor, options: options)
        }
    }

    /// Explains how a conversion would end. `nil` before there is a config.
    public func explainGoal(
        _ key: some ConvertKey, options: ConversionOptions = ConversionOptions()
    ) -> GoalExplanation? {
        let key = key.convertKey
        return withVisitor { _, snapshot, visitor in snapshot.goals.explain(key, for: visitor, options: options) }
    }

    /// Explains which of some custom segments the visitor would be added to. `nil` before there is a config.
    public func explainSegments(_ keys: [String], ruleData: JSObject = JSObject()) -> SegmentsExplanation? {
        withVisitor { _, snapshot, visitor in
            snapshot.segments.explain(keys, ruleData: ruleData, for: visitor)
        }
    }
}
