public import ConvertECMAScript
public import ConvertSwiftSDKCore

// Explanations cost far more than what they explain, and leave no trace: nothing is stored, reported or told. Printed,
// each is the tree that `convert-sdk` prints.

extension ConvertContext {
    /// Tells why the visitor sees what they see in an experience: every gate, rule and comparison on the way.
    ///
    ///     print(context.explain("checkout") ?? "no config yet")
    ///
    /// - Returns: the explanation, or `nil` if there is no config yet.
    public func explain(_ key: some ConvertKey, options: DecisionOptions = DecisionOptions()) -> Explanation? {
        let (key, options) = (key.convertKey, completed(options))
        return withVisitor { _, snapshot, visitor in
            snapshot.experiences.explain(key, for: visitor, options: options)
        }
    }

    /// Tells why the visitor has a feature or not: for each experience that carries it what is decided there, and why.
    ///
    /// - Returns: the explanation, or `nil` if there is no config yet.
    public func explainFeature(
        _ key: some ConvertKey, options: DecisionOptions = DecisionOptions()
    ) -> FeatureExplanation? {
        let (key, options) = (key.convertKey, completed(options))
        return withVisitor { _, snapshot, visitor in
            snapshot.features.explain(key, for: visitor, options: options)
        }
    }

    /// Tells how a conversion would end, and why.
    ///
    /// - Returns: the explanation, or `nil` if there is no config yet.
    public func explainGoal(
        _ key: some ConvertKey, options: ConversionOptions = ConversionOptions()
    ) -> GoalExplanation? {
        let key = key.convertKey
        return withVisitor { _, snapshot, visitor in snapshot.goals.explain(key, for: visitor, options: options) }
    }

    /// Tells which of some custom segments the visitor would be put into, and why.
    ///
    /// - Returns: the explanation, or `nil` if there is no config yet.
    public func explainSegments(_ keys: [String], ruleData: JSObject = JSObject()) -> SegmentsExplanation? {
        withVisitor { _, snapshot, visitor in
            snapshot.segments.explain(keys, ruleData: ruleData, for: visitor)
        }
    }
}
