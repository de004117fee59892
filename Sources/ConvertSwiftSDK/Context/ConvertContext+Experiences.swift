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
        let decision = answer(options) { snapshot, visitor in
            body(snapshot.experiences, &visitor)
        } telling: { decision in
            if let variation = decision.variation { tell(variation) }
        }
        return decision ?? .notReady
    }

    /// Decides all experiences, each knowing the decisions before it.
    ///
    /// - Returns: the variations that the visitor sees, in config order; a previewed one comes last.
    @discardableResult
    public func selectVariations(options: DecisionOptions = DecisionOptions()) -> [BucketedVariation] {
        if needsCompletion(options) { return selectVariations(options: completed(options)) }
        let selection = answer(options) { snapshot, visitor in
            snapshot.experiences.selection(for: &visitor, options)
        } telling: { selection in
            for variation in selection.variations { tell(variation) }
        }
        return selection?.variations ?? []
    }

    /// Decides all experiences, and tells for each of them why there is no variation where there is none.
    ///
    /// - Returns: one decision per experience, in config order; empty if there is no config yet.
    public func decideAll(options: DecisionOptions = DecisionOptions()) -> [Decision] {
        let options = completed(options)
        let series = answer(options) { snapshot, visitor in
            Series(decisions: snapshot.experiences.selectVariations(for: &visitor, options: options))
        } telling: { series in
            for variation in series.decisions.lazy.compactMap(\.variation) { tell(variation) }
        }
        return series?.decisions ?? []
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
        engine.hub.tell(
            .bucketing(
                visitorID: visitorID, experienceKey: variation.experienceKey, variationKey: variation.variationKey))
    }
}

/// The variations of several decisions, with all effects.
private struct Selection: EffectBearing {
    var variations: [BucketedVariation] = []
    var effects: [DecisionEffect] = []
}

/// Several decisions.
private struct Series: EffectBearing {
    let decisions: [Decision]

    var effects: [DecisionEffect] { decisions.flatMap(\.effects) }
}

extension ExperienceManager {
    /// The variations of all experiences with all effects. Only decisions that have either concern anybody; the others are
    /// not even kept.
    fileprivate func selection(for visitor: inout Visitor, _ options: DecisionOptions) -> Selection {
        var selection = Selection()
        forEachDecision(for: &visitor, options: options) { decision in
            if let variation = decision.variation { selection.variations.append(variation) }
            if !decision.effects.isEmpty { selection.effects += decision.effects }
        }
        return selection
    }
}

extension Decision {
    static var notReady: Decision { .none(.sdkNotReady) }
}
