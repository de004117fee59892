internal import ConvertECMAScript

/// Finds the features that a visitor has, by deciding the experiences that carry them.
///
/// Pure and synchronous, as ``ExperienceManager`` is.
public struct FeatureManager: Sendable {
    /// What decides the experiences.
    public let experiences: ExperienceManager

    private var project: CompiledProject { experiences.project }

    /// A manager over `experiences`.
    public init(experiences: ExperienceManager) { self.experiences = experiences }

    /// Finds one feature.
    ///
    /// Under ``RuleSemantics/javaScript`` every experience is decided, and so stored and reported; under the other
    /// semantics only those that can carry the feature are.
    /// - Parameters:
    ///   - key: the feature's key.
    ///   - visitor: the visitor; stored changes are made in its state.
    ///   - options: what this call says. A forced variation does not count here.
    ///   - experienceKeys: keys of the experiences to look at; empty means all.
    ///   - castsTypes: whether variables are cast to their declared types.
    /// - Returns: the feature once per experience that carries it for the visitor, or once as disabled. A feature that the
    ///   config does not declare is disabled, and nothing is decided for it.
    public func feature(
        _ key: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(),
        experienceKeys: [String] = [], castsTypes: Bool = true
    ) -> FeatureDecision {
        guard !visitor.id.isEmpty else { return FeatureDecision(features: [], reason: .missingVisitorID, effects: []) }
        guard let declared = project.feature(key: key) else {
            return FeatureDecision(features: [.undeclared(key: key)], reason: nil, effects: [])
        }
        let model = project.config.features[declared]
        let search = search(
            for: &visitor, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes,
            carriers: project.options.semantics.decidesOnlyCarriers ? project.carriers(ofFeature: declared) : nil
        ) { declaration in
            declaration.map { project.config.features[$0].key.hasSameCodeUnits(as: key) } ?? false
        }
        if search.reason != nil || !search.features.isEmpty { return search }
        return FeatureDecision(features: [.disabled(model)], reason: nil, effects: search.effects)
    }

    /// Finds all features: those that the visitor's variations carry, then every other declared one as disabled.
    ///
    /// The disabled ones come in the order of an object's keys: ids that are array indexes ascending, then config order.
    public func features(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(), castsTypes: Bool = true
    ) -> FeatureDecision {
        guard !visitor.id.isEmpty else { return FeatureDecision(features: [], reason: .missingVisitorID, effects: []) }
        let search = search(
            for: &visitor, options: options, experienceKeys: [], castsTypes: castsTypes, carriers: nil
        ) { _ in true }
        if search.reason != nil { return search }
        let found = Set(search.features.compactMap { $0.id.map { PropertyKey($0) } })
        let disabled = project.declaredFeatures.filter { !found.contains(project.config.features[$0].id.key) }
        return FeatureDecision(
            features: search.features + disabled.map { .disabled(project.config.features[$0]) }, reason: nil,
            effects: search.effects)
    }

    private func search(
        for visitor: inout Visitor, options: DecisionOptions, experienceKeys: [String], castsTypes: Bool,
        carriers: [Int]?, isWanted: (Int?) -> Bool
    ) -> FeatureDecision {
        var options = options
        // The reference does not pass these on to the experiences of a feature.
        options.forcedVariationID = nil
        if project.options.semantics == .javaScript {
            options.ignoresLocationProperties = false
            options.isTrackingEnabled = true
        }
        let keys = Set(experienceKeys.map { PropertyKey($0) })
        var features: [BucketedFeature] = []
        var effects: [DecisionEffect] = []
        var reason: Reason?
        experiences.forEachOrdinaryDecision(for: &visitor, options: options, among: carriers, keys: keys) { decision in
            effects += decision.effects
            switch decision.outcome {
            case .variation(let variation):
                collect(variation, castsTypes: castsTypes, isWanted: isWanted, into: &features)
            case .none(let why):
                if why.isThrownByReference ? project.options.semantics.letsErrorsEndTheCall : why.isMissingData {
                    reason = reason ?? why
                }
            }
        }
        return FeatureDecision(features: reason == nil ? features : [], reason: reason, effects: effects)
    }

    private func collect(
        _ variation: BucketedVariation, castsTypes: Bool, isWanted: (Int?) -> Bool,
        into features: inout [BucketedFeature]
    ) {
        for carried in variation.carriedFeatures where isWanted(carried.declaration) {
            let declaration = carried.declaration.map { project.config.features[$0] }
            features.append(
                BucketedFeature(
                    id: carried.id.name, key: declaration?.key, name: declaration?.name, status: .enabled,
                    variables: castsTypes ? carried.castVariables : carried.variables,
                    experienceID: variation.experienceID, experienceKey: variation.experienceKey,
                    experienceName: variation.experience.name))
        }
    }
}
