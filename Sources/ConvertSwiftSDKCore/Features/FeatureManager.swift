internal import ConvertECMAScript

/// Finds a visitor's features by deciding the experiences that carry them.
///
/// Pure and synchronous, like ``ExperienceManager``. Variables are cast when the project is compiled, see
/// ``CarriedFeature``.
package struct FeatureManager: Sendable {
    package let experiences: ExperienceManager

    private var project: Project { experiences.project }

    package init(experiences: ExperienceManager) { self.experiences = experiences }

    /// Finds one feature.
    ///
    /// Under ``RuleSemantics/javaScript`` the call decides all experiences, and so stores and reports their decisions.
    /// Under the other semantics the call decides only the experiences that can carry the feature.
    ///
    /// - Parameters:
    ///   - options: the options of this call. A forced variation has no effect here.
    ///   - experienceKeys: keys of the experiences to search; an empty list means all experiences.
    ///   - castsTypes: whether variables are cast to their declared types.
    /// - Returns: the feature, once for each experience that carries it for the visitor, or once as disabled. A feature
    ///   that the config does not declare is disabled, and no experience is decided for it.
    package func feature(
        _ key: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(),
        experienceKeys: [String] = [], castsTypes: Bool = true
    ) -> Answer<FeatureDecision> {
        let answer = conclude(
            key, for: &visitor, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes)
        return Answer(FeatureDecision(key, answer.value, in: project), effects: answer.effects)
    }

    /// Finds one feature like ``feature(_:for:options:experienceKeys:castsTypes:)``, and returns the compact
    /// conclusion.
    package func conclude(
        _ key: String, for visitor: inout Visitor, options: DecisionOptions, experienceKeys: [String], castsTypes: Bool
    ) -> Answer<FeatureConclusion> {
        if changes(options) {
            return conclude(
                key, for: &visitor, options: passedOn(options), experienceKeys: experienceKeys, castsTypes: castsTypes)
        }
        var found = FeatureConclusion(declaration: project.feature(key: key), castsTypes: castsTypes)
        guard !visitor.id.isEmpty else {
            found.reason = .missingVisitorID
            return Answer(found)
        }
        guard let wanted = found.declaration else { return Answer(found) }
        let keys = experienceKeys.isEmpty ? nil : Set(experienceKeys.map { PropertyKey($0) })
        let (reason, effects) = forEachCarried(wanted, for: &visitor, options: options, keys: keys) { found.add($0) }
        found.reason = reason
        return Answer(found, effects: effects)
    }

    /// Finds all features: first the features that the visitor's variations carry, then all other declared features as
    /// disabled.
    ///
    /// The disabled features are in the order of a JavaScript object's keys: first ids that are array indexes,
    /// ascending, then the other ids in config order.
    package func features(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(), castsTypes: Bool = true
    ) -> Answer<FeatureDecision> {
        if changes(options) { return features(for: &visitor, options: passedOn(options), castsTypes: castsTypes) }
        guard !visitor.id.isEmpty else { return Answer(FeatureDecision(reason: .missingVisitorID)) }
        let project = project
        var features: [BucketedFeature] = []
        var found: Set<PropertyKey> = []
        let (reason, effects) = forEachCarried(nil, for: &visitor, options: options, keys: nil) { place in
            found.insert(project.features.carried[place.feature].id)
            features.append(BucketedFeature(place, castsTypes: castsTypes, in: project))
        }
        if let reason { return Answer(FeatureDecision(reason: reason), effects: effects) }
        let listsAgain = project.options.semantics.listsNumberedFeaturesAgain
        for index in project.features.declared {
            let id = project.config.features[index].id
            if found.contains(id.key) && !(listsAgain && id.kind != .text) { continue }
            features.append(BucketedFeature(disabled: index, in: project))
        }
        return Answer(FeatureDecision(features: features), effects: effects)
    }

    /// The features that a variation carries, as its visitors have them.
    package func features(carriedBy variation: Int, of experience: Int, castsTypes: Bool) -> FeatureDecision {
        let carried = project.features.carried(byVariation: variation, of: experience).indices
        return FeatureDecision(
            features: carried.map { index in
                BucketedFeature(
                    CarriedPlace(feature: index, experience: experience), castsTypes: castsTypes, in: project)
            })
    }

    /// Whether ``passedOn(_:)`` changes `options`.
    // Keep it separate: otherwise every call copies the options, which counts a dozen references (W6).
    private func changes(_ options: DecisionOptions) -> Bool {
        options.forcesVariation
            || project.options.semantics == .javaScript
                && (options.ignoresLocationProperties || !options.isTrackingEnabled)
    }

    /// The options for the experiences of a feature: the forced variation is removed, and under JavaScript's semantics
    /// two more options have their defaults.
    package func passedOn(_ options: DecisionOptions) -> DecisionOptions {
        guard changes(options) else { return options }
        var options = options
        options.forcedVariationID = nil
        options.forcedVariation = nil
        if project.options.semantics == .javaScript {
            options.ignoresLocationProperties = false
            options.isTrackingEnabled = true
        }
        return options
    }

    /// Decides experiences, and passes each feature that the visitor's variations carry to `body`.
    ///
    /// - Parameters:
    ///   - wanted: index of a declaration; only features with its key are passed. `nil` means all features.
    ///   - keys: keys of the experiences to decide; `nil` means all.
    /// - Returns: why there is no answer, or `nil` if there is an answer; and the effects.
    @inline(__always)
    private func forEachCarried(
        _ wanted: Int?, for visitor: inout Visitor, options: DecisionOptions, keys: Set<PropertyKey>?,
        _ body: (CarriedPlace) -> Void
    ) -> (reason: Decision.Reason?, effects: [DecisionEffect]) {
        let project = project
        let semantics = project.options.semantics
        let carriers = semantics.decidesOnlyCarriers ? wanted.map { project.features.carriers[$0] } : nil
        func pass(_ selection: Selection) {
            for index in project.features.carried(byVariation: selection.variation, of: selection.experience).indices
            where wanted.map({ isDeclared(index, like: $0) }) ?? true {
                body(CarriedPlace(feature: index, experience: selection.experience))
            }
        }
        var reason: Decision.Reason?
        var skipped: Int?
        visitor.adopt(project)
        if semantics.previewsFeatures, let preview = visitor.preview, experiences.isAmong(keys, preview.experience) {
            skipped = preview.replacedExperience
            pass(preview.selection)
        }
        let effects = experiences.forEachOrdinaryConclusion(
            for: &visitor, options: options, among: carriers, keys: keys, skipping: skipped
        ) { conclusion in
            switch conclusion {
            case .variation(let selection): pass(selection)
            case .none(let why):
                if why.isThrownByReference ? semantics.throwsOnMalformedRules : why.isMissingData {
                    reason = reason ?? why
                }
            }
        }
        return (reason, effects)
    }

    /// Whether the carried feature at an index is declared with the same text key as the declaration at `wanted`.
    private func isDeclared(_ carried: Int, like wanted: Int) -> Bool {
        guard let declaration = project.features.carried[carried].declaration,
            project.config.features[declaration].entityKey.isText
        else { return false }
        return declaration == wanted
            || project.config.features[declaration].entityKey.lookUp == project.config.features[wanted].entityKey.lookUp
    }
}
