internal import ConvertECMAScript

/// Finds the features that a visitor has, by deciding the experiences that carry them.
///
/// Pure and synchronous, as ``ExperienceManager`` is. Variables were cast when the project was compiled: see
/// ``CarriedFeature``.
package struct FeatureManager: Sendable {
    /// What decides the experiences.
    package let experiences: ExperienceManager

    private var project: Project { experiences.project }

    /// A manager over `experiences`.
    package init(experiences: ExperienceManager) { self.experiences = experiences }

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
    package func feature(
        _ key: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(),
        experienceKeys: [String] = [], castsTypes: Bool = true
    ) -> FeatureDecision {
        guard !visitor.id.isEmpty else { return .none(.missingVisitorID) }
        guard let declared = project.feature(key: key) else {
            return .found([.undeclared(key: key)])
        }
        return search(
            for: &visitor, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes, wanted: declared)
    }

    /// Finds all features: those that the visitor's variations carry, then every other declared one as disabled.
    ///
    /// The disabled ones come in the order of an object's keys: ids that are array indexes ascending, then config order.
    package func features(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(), castsTypes: Bool = true
    ) -> FeatureDecision {
        guard !visitor.id.isEmpty else { return .none(.missingVisitorID) }
        let search = search(
            for: &visitor, options: options, experienceKeys: [], castsTypes: castsTypes, wanted: nil)
        if search.reason != nil { return search }
        let found = Set(search.features.compactMap(\.idKey))
        let listsAgain = project.options.semantics.listsNumberedFeaturesAgain
        let disabled = project.declaredFeatures.filter { index in
            let id = project.config.features[index].id
            return !found.contains(id.key) || listsAgain && id.kind != .text
        }
        return .found(
            search.features + disabled.map { .at(.disabled($0), in: experiences.handles.current) },
            effects: search.someEffects)
    }

    /// - Parameter wanted: index of the feature's declaration, which is found as disabled if no variation carries it; `nil` means
    ///   all features that variations carry.
    private func search(
        for visitor: inout Visitor, options: DecisionOptions, experienceKeys: [String], castsTypes: Bool, wanted: Int?
    ) -> FeatureDecision {
        guard options.forcesVariation || resetsOptions else {
            return find(
                for: &visitor, options: options, experienceKeys: experienceKeys, castsTypes: castsTypes, wanted: wanted)
        }
        return find(
            for: &visitor, options: passedOn(options), experienceKeys: experienceKeys, castsTypes: castsTypes,
            wanted: wanted)
    }

    /// Whether some options do not count for the experiences of a feature, as in the reference.
    private var resetsOptions: Bool { project.options.semantics == .javaScript }

    /// What of a call's options counts for the experiences of a feature.
    func passedOn(_ options: DecisionOptions) -> DecisionOptions {
        var options = options
        options.forcedVariationID = nil
        options.forcedVariation = nil
        if resetsOptions {
            options.ignoresLocationProperties = false
            options.isTrackingEnabled = true
        }
        return options
    }

    private func find(
        for visitor: inout Visitor, options: DecisionOptions, experienceKeys: [String], castsTypes: Bool, wanted: Int?
    ) -> FeatureDecision {
        // For the closure below, which would count both references of `self`.
        let project = project
        let keys = experienceKeys.isEmpty ? nil : Set(experienceKeys.map { PropertyKey($0) })
        let semantics = project.options.semantics
        let carriers = semantics.decidesOnlyCarriers ? wanted.map { project.carriers(ofFeature: $0) } : nil
        let letsErrorsEndTheCall = semantics.letsErrorsEndTheCall
        var found = FoundPlaces()
        var effects: [DecisionEffect]?
        var reason: Decision.Reason?
        visitor.adopt(project)
        var skipped: Int?
        if semantics.previewsFeatures, let preview = visitor.preview,
            experiences.isAmong(keys, preview.experience)
        {
            skipped = preview.replacedExperience
            Self.addFeatures(in: project, of: preview.selection, wanted: wanted, castsTypes: castsTypes, to: &found)
        }
        experiences.forEachOrdinaryDecision(
            for: &visitor, options: options, among: carriers, keys: keys, skipping: skipped
        ) { conclusion, newEffects in
            if let newEffects { effects.append(contentsOf: newEffects) }
            switch conclusion {
            case .variation(let selection):
                Self.addFeatures(in: project, of: selection, wanted: wanted, castsTypes: castsTypes, to: &found)
            case .none(let why):
                if why.isThrownByReference ? letsErrorsEndTheCall : why.isMissingData { reason = reason ?? why }
            }
        }
        if let reason { return .empty(reason, effects: effects) }
        var asked: BucketedFeature.AskedKey?
        if let wanted, found.isEmpty {
            found.append(.disabled(wanted))
            let key = project.config.features[wanted].entityKey
            if !key.isText { asked = .init(key.lookUp.name) }
        }
        return .found(found, asked: asked, in: experiences.handles.current, effects: effects)
    }

    /// Adds the features that a variation carries: all of them, or those with the key of the declaration at `wanted`.
    // Apart, so that what decides the experiences stays in one piece with what asks for them.
    @inline(never)
    private static func addFeatures(
        in project: Project, of selection: Selection, wanted: Int?, castsTypes: Bool, to found: inout FoundPlaces
    ) {
        let carried = project.features(ofVariation: Int(selection.variation), of: Int(selection.experience))
        for index in carried.indices {
            let declaration = project.declaration(ofCarriedFeature: index)
            if let wanted {
                guard let declaration, project.config.features[declaration].entityKey.isText,
                    declaration == wanted || project.haveFeaturesSameKey(declaration, wanted)
                else { continue }
            }
            found.append(
                BucketedFeature.Place(
                    index: Int32(truncatingIfNeeded: index),
                    declaration: Int32(truncatingIfNeeded: declaration ?? -1), experience: selection.experience,
                    castsTypes: castsTypes))
        }
    }
}
