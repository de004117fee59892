internal import ConvertECMAScript

extension ExperienceManager {
    /// Selects the variation after all gates: the forced, the stored or the bucketed variation, in this order.
    @inline(never)
    func select(
        _ experience: ExperienceRow, _ options: DecisionOptions, _ call: inout DecisionCall<some DecisionObserver>
    ) -> Conclusion {
        let asked = options.forcesVariation ? askedVariation(of: experience, options) : nil
        let forced = forcedVariation(of: experience, options) ?? asked
        if let stored = storedVariation(of: experience, call.visitor.value.state), forced == nil || forced == stored {
            call.observer.didReach(.selection(.stored), passed: true)
            return .variation(Selection(experience: experience.index, variation: stored, source: .stored))
        }
        let value = bucketValue(of: call.visitor.value, experience)
        let bucketed = BucketingManager.variation(
            for: Double(value), among: project.experiences.ranges[experience.ranges], experience.layout)
        call.observer.didBucket(value, in: experience.index)
        guard forced != nil || bucketed != nil else {
            call.observer.didReach(.selection(.unowned(value: value)), passed: false)
            return .none(.notBucketed)
        }
        let index = forced ?? bucketed.flatMap { project.experiences.foundVariation($0, of: experience) }
        call.observer.didReach(
            .selection(forced == nil ? .bucketed(value: value) : .forced), passed: index != nil)
        if call.tracks || call.stores, let selected = selectedID(forced: forced, bucketed: bucketed, in: experience) {
            record(selected, of: experience, options, &call)
        }
        guard let index else { return .none(.variationNotFound) }
        return .variation(
            Selection(
                experience: experience.index, variation: index, source: forced == nil ? .bucketed : .forced,
                bucketValue: bucketed == nil ? nil : value))
    }

    // Keep it out of line: inlined, it slows down its caller (W2).
    @inline(never)
    private func bucketValue(of visitor: borrowing Visitor, _ experience: ExperienceRow) -> Int {
        project.bucketing.bucketValue(visitorID: visitor.id, continuing: experience.hash)
    }

    /// Index of the variation that is forced for the experience; `nil` if there is no forced variation, or the
    /// experience does not have it.
    @inline(__always)
    func forcedVariation(of experience: ExperienceRow, _ options: DecisionOptions) -> Int? {
        guard let forced = options.forcedVariations else { return nil }
        return forced[project.model(experience.index).entityKey.lookUp].flatMap {
            project.model(experience.idOwner).variation(named: $0)
        }
    }

    /// Index of the variation that the call names, if the experience has it.
    private func askedVariation(of experience: ExperienceRow, _ options: DecisionOptions) -> Int? {
        let named = options.forcedVariationID.flatMap {
            $0.isEmpty ? nil : indexOfVariation(PropertyKey($0), of: experience)
        }
        return named ?? options.forcedVariation.flatMap { project.model(experience.idOwner).variation(named: $0) }
    }

    /// Index of the variation that is stored for the experience, if the config still has it.
    @inline(__always)
    func storedVariation(of experience: ExperienceRow, _ state: VisitorState) -> Int? {
        state.bucketing == nil ? nil : knownVariation(of: experience, state)
    }

    private func knownVariation(of experience: ExperienceRow, _ state: VisitorState) -> Int? {
        guard let bucketing = state.bucketing, let stored = bucketing[project.model(experience.index).id.key],
            stored.isTruthy
        else { return nil }
        return indexOfVariation(ECMAScript.toPropertyKey(stored), of: experience)
    }

    private func indexOfVariation(_ id: PropertyKey, of experience: ExperienceRow) -> Int? {
        project.model(experience.idOwner).variation(id: id, under: project.options.semantics)
    }

    /// The id to store and track: the forced variation's id if there is one.
    private func selectedID(forced: Int?, bucketed: Int?, in experience: ExperienceRow) -> EntityID? {
        if let forced { return project.model(experience.idOwner).variations[forced].id }
        return bucketed.flatMap { project.model(experience.index).variations[$0].id }
    }

    private func record(
        _ variation: EntityID, of experience: ExperienceRow, _ options: DecisionOptions,
        _ call: inout DecisionCall<some DecisionObserver>
    ) {
        let experienceID = project.model(experience.index).id
        // The event carries the segments that were stored before this decision.
        var segments = call.visitor.value.state.segments
        if project.options.semantics.takesNamedAttributesForRuleData, properties(in: &call).isNamedRuleData {
            segments = JSObject()
        }
        if call.stores {
            let id = experience.layout.storedValue(of: variation)
            call.store(.bucketing(experienceID: experienceID.key, variationID: id), in: project)
            if options.updatesVisitorProperties {
                call.store(.segments(properties(in: &call)), in: project)
            }
        }
        if call.tracks {
            let event = TrackingEvent.bucketing(experienceID: experienceID.text, variationID: variation.text)
            call.effects.append(.track(event, segments: segments))
        }
    }

    /// All of the visitor's properties, including the call's own.
    private func properties(in call: inout DecisionCall<some DecisionObserver>) -> JSObject {
        call.attributes?.source ?? call.visitor.value.merging(JSObject())
    }
}

extension ProjectConfig.Experience {
    /// Index of the variation with the key, or else with the id. Variations without an id are ignored.
    package func variation(named name: String) -> Int? {
        variations.firstIndex { $0.id != nil && $0.key?.hasSameCodeUnits(as: name) ?? false }
            ?? variations.firstIndex { $0.id?.key == PropertyKey(name) }
    }
}
