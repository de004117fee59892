import ConvertMonitoring
public import ConvertSwiftSDKCore

// The calls that decide:
//
//     decide(_:options:)             the decision, with the reason if there is no variation
//     decide(_:exposure:forced:…)    the same, with the most common options as parameters
//     variationKey(_:default:…)      the variation's key, or a default
//     decideAll(options:)            all experiences
//     selectVariation, selectVariations   the same as decide and decideAll, by the JavaScript SDK's names
//     explain(_:options:)            every step, without storing or reporting anything

extension ConvertContext {
    /// Decides which variation of an experience the visitor sees.
    ///
    /// A new decision is stored and reported, unless `options` say otherwise. A stored decision is only passed to
    /// listeners.
    /// - Parameters:
    ///   - key: the experience's key.
    ///   - options: the options of this call.
    /// - Returns: the variation, or the reason why the visitor sees none, such as not eligible, an unknown key, an
    ///   empty visitor id, or no config yet.
    @discardableResult
    @inlinable
    public func decide(_ key: some ConvertKey, options: DecisionOptions = DecisionOptions()) -> Decision {
        decision(key.convertKey, options)
    }

    /// Decides like ``decide(_:options:)``, with parameters for exposure and for forcing a variation.
    ///
    /// - Parameters:
    ///   - key: the experience's key.
    ///   - exposure: whether the visitor sees the result. If so, a new decision is stored and reported, and listeners
    ///     are notified. If not, nothing is stored or reported; a later call with exposure makes the same decision, and
    ///     counts the visitor.
    ///   - forced: the key or the id of the variation that the visitor sees if the rules admit the visitor. With
    ///     exposure it replaces a stored decision for another variation, and is reported as a new decision. An unknown
    ///     variation is ignored, with a warning.
    ///   - options: further options of this call.
    /// - Returns: the variation, or the reason why the visitor sees none.
    @discardableResult
    @inlinable
    public func decide(
        _ key: some ConvertKey, exposure: Bool, forced: String? = nil,
        options: consuming DecisionOptions = DecisionOptions()
    ) -> Decision {
        decision(key.convertKey, exposure: exposure, forced: forced, options)
    }

    @usableFromInline
    func decision(
        _ key: String, exposure: Bool, forced: String? = nil, _ options: consuming DecisionOptions
    ) -> Decision {
        if let forced { options.forcedVariation = forced }
        if !exposure {
            options.isTrackingEnabled = false
            options.isStorageEnabled = false
            options.suppressesEvents = true
        }
        return decision(key, options)
    }

    /// Returns the key of the variation that the visitor sees, or `fallback` if the visitor sees none. Stores and
    /// reports like ``decide(_:exposure:forced:options:)``.
    ///
    ///     switch context.variationKey("checkout", default: "control") { … }
    @inlinable
    public func variationKey(
        _ key: some ConvertKey, default fallback: String, exposure: Bool = true,
        options: consuming DecisionOptions = DecisionOptions()
    ) -> String {
        decision(key.convertKey, exposure: exposure, options).variation?.variationKey ?? fallback
    }

    @usableFromInline
    func decision(_ key: String, _ options: DecisionOptions) -> Decision {
        if locationProperties != nil || basis.isAttended { return decideAttended(key, options) }
        return decideUnseen(key, options)
    }

    @inline(never)
    private func decideAttended(_ key: String, _ options: DecisionOptions) -> Decision {
        let options = completed(options)
        return hooked(.experience(key: key)) { decideUnseen(key, options) }
    }

    @inline(__always)
    private func decideUnseen(_ key: String, _ options: DecisionOptions) -> Decision {
        let decision = decide(LoggedQuestion(question: .experiences, name: key), options) {
            experiences, visitor, options in
            experiences.conclude(experiences.project.experience(key: key), for: &visitor, options: options)
        }
        if decision.reason == .unknownExperience {
            warn(ofUnknown: "experience", key, among: \.experiences, \.key)
        } else if options.forcesVariation {
            warn(ifUnknownForcedIn: options) { config?.experiences[key: key] }
        }
        return decision
    }

    /// Decides the experience with this id, like ``decide(_:options:)``.
    @discardableResult
    public func decide(experienceID: String, options: DecisionOptions = DecisionOptions()) -> Decision {
        if needsCompletion(options) { return decide(experienceID: experienceID, options: completed(options)) }
        return hooked(.experienceID(experienceID)) { decideUnseen(id: experienceID, options) }
    }

    private func decideUnseen(id experienceID: String, _ options: DecisionOptions) -> Decision {
        let question = LoggedQuestion(question: .experienceID, name: experienceID)
        let decision = decide(question, options) { experiences, visitor, options in
            let experience = experiences.project.experience(id: experienceID)
            return experiences.conclude(experience, for: &visitor, options: options, identifiesByID: true)
        }
        if decision.reason == .unknownExperience {
            warn(ofUnknown: "experience", experienceID, among: \.experiences, \.id.text)
        } else if options.forcesVariation {
            warn(ifUnknownForcedIn: options) { config?.experiences[id: experienceID] }
        }
        return decision
    }

    @inline(__always)
    private func decide(
        _ question: @autoclosure () -> LoggedQuestion, _ options: DecisionOptions,
        _ body: (ExperienceManager, inout Visitor, DecisionOptions) -> Answer<Conclusion>
    ) -> Decision {
        answer(question(), options) { snapshot, visitor, options in
            body(snapshot.experiences, &visitor, options)
        } spelling: { conclusion, snapshot in
            Decision(conclusion, in: snapshot.project)
        } recording: { conclusion, snapshot in
            Decision(conclusion, in: snapshot.project)
        } telling: { decision in
            if let variation = decision.variation { tell(variation) }
        } unready: {
            Decision(reason: .sdkNotReady)
        }
    }

    /// Decides all experiences in order; each decision can depend on those before it. New decisions are stored and
    /// reported, as by ``decide(_:options:)``. Takes time linear in the number of experiences.
    ///
    /// - Returns: one decision per experience, in config order, with a previewed one last; empty if there is no config
    ///   yet. Under `RuleSemantics.javaScript` the list ends with the experience on which the JavaScript SDK throws.
    ///   The decisions before it are stored and reported, as in the JavaScript SDK, but listeners receive none.
    @discardableResult
    public func decideAll(options: DecisionOptions = DecisionOptions()) -> [Decision] {
        if needsCompletion(options) { return decideAll(options: completed(options)) }
        return answer(LoggedQuestion(question: .allExperiences), options) { snapshot, visitor, options in
            snapshot.experiences.selectVariations(for: &visitor, options: options)
        } spelling: { decisions, _ in
            decisions
        } recording: { decisions, _ in
            decisions
        } telling: { decisions in
            for variation in decisions.variations { tell(variation) }
        } unready: {
            []
        }
    }

    /// Returns the variation of ``decide(_:options:)``, under the JavaScript SDK's name.
    ///
    /// - Returns: `nil` if the visitor sees no variation.
    @discardableResult
    @inlinable
    public func selectVariation(
        _ key: some ConvertKey, options: DecisionOptions = DecisionOptions()
    ) -> BucketedVariation? {
        decision(key.convertKey, options).variation
    }

    /// Returns the variations of ``decideAll(options:)``, under the JavaScript SDK's name.
    ///
    /// - Returns: the variations that the visitor sees, in config order, with a previewed one last. Empty if a decision
    ///   ends the call, as malformed rules do under `RuleSemantics.javaScript`.
    @discardableResult
    public func selectVariations(options: DecisionOptions = DecisionOptions()) -> [BucketedVariation] {
        decideAll(options: options).variations
    }

    /// Whether listeners receive this decision. Decisions of a context with a preview have no effects.
    func tells(_ options: DecisionOptions, _ isPreviewing: @autoclosure () -> Bool) -> Bool {
        engine.hub.hasSubscribers && !options.suppressesEvents && !isPreviewing()
    }

    private func tell(_ variation: BucketedVariation) {
        engine.hub.tell(
            .bucketing(
                visitorID: visitorID, experienceKey: variation.experienceKey, variationKey: variation.variationKey))
    }
}

extension [Decision] {
    /// The variations; empty if the JavaScript SDK throws, because then neither its caller nor its listeners receive
    /// any.
    fileprivate var variations: [BucketedVariation] {
        if last?.reason?.isThrownByReference ?? false { return [] }
        return compactMap(\.variation)
    }
}
