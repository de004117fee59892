public import ConvertSwiftSDKCore

extension ConvertContext {
    /// Decides which variation of an experience the visitor sees.
    ///
    /// A new decision is stored and reported, unless `options` say otherwise; a stored one is only told to listeners.
    /// - Parameters:
    ///   - key: the experience's key.
    ///   - options: what this call says.
    /// - Returns: the variation, or `nil` if the visitor sees none: not eligible, an unknown key, an empty visitor id, no
    ///   config yet. ``decide(_:options:)`` tells which.
    @discardableResult
    public func selectVariation(_ key: String, options: DecisionOptions = DecisionOptions()) -> BucketedVariation? {
        decide(key, options: options).variation
    }

    /// Decides as ``selectVariation(_:options:)`` does, and tells the reason if there is no variation.
    @discardableResult
    public func decide(_ key: String, options: DecisionOptions = DecisionOptions()) -> Decision {
        if needsCompletion(options) { return decide(key, options: completed(options)) }
        return decide(options) { experiences, visitor in
            experiences.selectVariation(key, for: &visitor, options: options)
        }
    }

    /// Decides the experience with the id, as ``decide(_:options:)`` does by key.
    @discardableResult
    public func decide(experienceID: String, options: DecisionOptions = DecisionOptions()) -> Decision {
        if needsCompletion(options) { return decide(experienceID: experienceID, options: completed(options)) }
        return decide(options) { experiences, visitor in
            experiences.selectVariation(id: experienceID, for: &visitor, options: options)
        }
    }

    @inline(__always)
    private func decide(_ options: DecisionOptions, _ body: (ExperienceManager, inout Visitor) -> Decision) -> Decision
    {
        // Kept only for listeners, of whom there are seldom any.
        var told: (snapshot: ConfigSnapshot, effects: [DecisionEffect])?
        let decision = withVisitor { state, snapshot, visitor in
            var decision = body(snapshot.experiences, &visitor)
            if !decision.effects.isEmpty || state.hasUnstored {
                var effects = decision.effects
                settle(&decision, &effects, snapshot, &visitor, &state) { visitor in
                    let decision = body(snapshot.experiences, &visitor)
                    return (decision, decision.effects)
                }
                if tells(options, visitor.isPreviewing) { told = (snapshot, effects) }
            } else if tells(options, visitor.isPreviewing) {
                told = (snapshot, [])
            }
            return decision
        }
        guard let decision else { return .notReady }
        if let told {
            tell(told.effects, of: told.snapshot)
            if let variation = decision.variation { tell(variation) }
        }
        return decision
    }

    /// Decides all experiences, each knowing the decisions before it.
    ///
    /// - Returns: the variations that the visitor sees, in config order; a previewed one comes last.
    @discardableResult
    public func selectVariations(options: DecisionOptions = DecisionOptions()) -> [BucketedVariation] {
        if needsCompletion(options) { return selectVariations(options: completed(options)) }
        let answer = withVisitor { state, snapshot, visitor in
            let before = visitor.state
            var (variations, effects) = snapshot.experiences.outcome(for: &visitor, options)
            if !effects.isEmpty || state.hasUnstored {
                settle(&variations, &effects, from: before, snapshot, &visitor, &state) {
                    snapshot.experiences.outcome(for: &$0, options)
                }
            }
            return (variations, effects, snapshot, visitor.isPreviewing)
        }
        guard let (variations, effects, snapshot, isPreviewing) = answer else { return [] }
        guard tells(options, isPreviewing) else { return variations }
        tell(effects, of: snapshot)
        for variation in variations { tell(variation) }
        return variations
    }

    /// Decides all experiences, and tells for each of them why there is no variation where there is none.
    ///
    /// - Returns: one decision per experience, in config order; empty if there is no config yet.
    public func decideAll(options: DecisionOptions = DecisionOptions()) -> [Decision] {
        let options = completed(options)
        let answer = withVisitor { state, snapshot, visitor in
            let before = visitor.state
            var decisions = snapshot.experiences.selectVariations(for: &visitor, options: options)
            var effects = decisions.flatMap(\.effects)
            if !effects.isEmpty || state.hasUnstored {
                settle(&decisions, &effects, from: before, snapshot, &visitor, &state) { visitor in
                    let decisions = snapshot.experiences.selectVariations(for: &visitor, options: options)
                    return (decisions, decisions.flatMap(\.effects))
                }
            }
            return (decisions, effects, snapshot, visitor.isPreviewing)
        }
        guard let (decisions, effects, snapshot, isPreviewing) = answer else { return [] }
        guard tells(options, isPreviewing) else { return decisions }
        tell(effects, of: snapshot)
        for variation in decisions.lazy.compactMap(\.variation) { tell(variation) }
        return decisions
    }

    /// Tells why the visitor sees what they see in an experience: every gate, rule and comparison on the way.
    ///
    /// Nothing is stored, reported or told. It costs far more than a decision.
    /// - Returns: the explanation, or `nil` if there is no config yet.
    public func explain(_ key: String, options: DecisionOptions = DecisionOptions()) -> Explanation? {
        let options = completed(options)
        return withVisitor { _, snapshot, visitor in
            snapshot.experiences.explain(key, for: visitor, options: options)
        }
    }

    /// Whether anybody is to be told. A preview leaves no trace, nor do the other decisions of its context.
    func tells(_ options: DecisionOptions, _ isPreviewing: @autoclosure () -> Bool) -> Bool {
        engine.hub.hasSubscribers && !options.suppressesEvents && !isPreviewing()
    }

    private func tell(_ variation: BucketedVariation) {
        engine.hub.fire(
            .bucketing(
                visitorID: visitorID, experienceKey: variation.experienceKey, variationKey: variation.variationKey))
    }
}

extension ExperienceManager {
    /// The variations of all experiences with all effects. Only decisions that have either concern anybody; the others are
    /// not even kept.
    fileprivate func outcome(
        for visitor: inout Visitor, _ options: DecisionOptions
    ) -> ([BucketedVariation], [DecisionEffect]) {
        var variations: [BucketedVariation] = []
        var effects: [DecisionEffect] = []
        forEachDecision(for: &visitor, options: options) { decision in
            if let variation = decision.variation { variations.append(variation) }
            if !decision.effects.isEmpty { effects += decision.effects }
        }
        return (variations, effects)
    }
}

extension Decision {
    static var notReady: Decision { .none(.sdkNotReady) }
}
