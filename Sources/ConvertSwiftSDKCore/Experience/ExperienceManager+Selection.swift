internal import ConvertECMAScript

extension ExperienceManager {
    /// The decision that callers see.
    @inline(__always)
    func decision(_ conclusion: Conclusion, _ effects: [DecisionEffect]? = nil) -> Decision {
        if case .none = conclusion { return Decision(conclusion: conclusion, share: nil, someEffects: effects) }
        return Decision(conclusion: conclusion, share: handles.current, someEffects: effects)
    }

    /// Behind the gates: forced, stored or bucketed, in this order.
    @inline(never)
    func select(
        _ experience: ExperienceRow, _ visitor: inout Visitor, _ call: inout DecisionCall,
        _ observer: some DecisionObserver
    ) -> Conclusion {
        let asked = call.options.forcesVariation ? askedVariation(of: experience, call.options) : nil
        let forced = call.options.isForcing ? forcedVariation(of: experience, call.options) ?? asked : asked
        if let stored = storedVariation(of: experience, visitor.state), forced == nil || forced == stored {
            observer.didReach(.selection, passed: true, "the stored decision")
            return .variation(
                Selection(experience: experience.index, variation: stored, source: .stored))
        }
        let hash = project.bucketing.hash(visitorID: visitor.id, continuing: experience.hash)
        let value = project.bucketing.bucketValue(of: hash)
        let bucketed = BucketingManager.variation(
            for: Double(value), among: project.ranges[experience.ranges], experience.layout)
        observer.didBucket(trace(value, of: visitor.id, in: experience))
        guard forced != nil || bucketed != nil else {
            observer.didReach(.selection, passed: false, "bucket value \(value) lies outside of every arm")
            return .none(.notBucketed)
        }
        let index = forced ?? bucketed.flatMap { project.foundVariation($0, of: experience) }
        observer.didReach(
            .selection, passed: index != nil,
            (forced != nil ? "forced" : "bucket value \(value)") + (index == nil ? ": not found" : ""))
        if call.tracks || call.stores, let selected = selectedID(forced: forced, bucketed: bucketed, in: experience) {
            record(selected, experience, &visitor, &call)
        }
        guard let index else { return .none(.variationNotFound) }
        return .variation(
            Selection(
                experience: experience.index, variation: index, source: forced == nil ? .bucketed : .forced,
                hash: bucketed == nil ? nil : hash))
    }

    /// Index of the variation that the call names for the visitor to see, if the experience has it.
    private func askedVariation(of experience: ExperienceRow, _ options: DecisionOptions) -> Int? {
        let named = options.forcedVariationID.flatMap {
            $0.isEmpty ? nil : indexOfVariation(PropertyKey($0), of: experience)
        }
        return named ?? options.forcedVariation.flatMap { project.model(experience.idOwner).variation(named: $0) }
    }

    /// Index of the variation that is stored for the experience, if the config still has it.
    @inline(__always)
    func storedVariation(of experience: ExperienceRow, _ state: VisitorState) -> Int? {
        state.isUntouched ? nil : knownVariation(of: experience, state)
    }

    private func knownVariation(of experience: ExperienceRow, _ state: VisitorState) -> Int? {
        guard let bucketing = state.bucketing, let stored = bucketing[project.model(experience.index).id.key],
            stored.isTruthy
        else { return nil }
        return indexOfVariation(ECMAScript.toPropertyKey(stored), of: experience)
    }

    private func indexOfVariation(_ id: PropertyKey, of experience: ExperienceRow) -> Int? {
        project.model(experience.idOwner).variation(
            id: id, numericIDs: project.options.semantics.findsNumericVariationIDs)
    }

    /// The id that is stored and tracked: the forced one if there is one.
    private func selectedID(forced: Int?, bucketed: Int?, in experience: ExperienceRow) -> EntityID? {
        if let forced { return project.model(experience.idOwner).variations[forced].id }
        return bucketed.flatMap { project.model(experience.index).variations[$0].id }
    }

    private func record(
        _ variation: EntityID, _ experience: ExperienceRow, _ visitor: inout Visitor,
        _ call: inout DecisionCall
    ) {
        let experienceID = project.model(experience.index).id
        // What is reported with the event are the segments stored before this decision.
        var segments = visitor.state.segments
        if project.options.semantics.takesNamedAttributesForRuleData,
            (call.attributes?.source ?? visitor.merging(JSObject())).isNamedRuleData
        {
            segments = JSObject()
        }
        if call.stores {
            let id = experience.layout.storedValue(of: variation)
            store(.bucketing(experienceID: experienceID.key, variationID: id), &visitor, &call)
            if call.options.updatesVisitorProperties {
                store(.segments(call.attributes?.source ?? visitor.merging(JSObject())), &visitor, &call)
            }
        }
        if call.tracks {
            let event = TrackingEvent.bucketing(experienceID: experienceID.text, variationID: variation.text)
            call.add(.track(event, segments: segments))
        }
    }

    private func store(_ change: VisitorStateChange, _ visitor: inout Visitor, _ call: inout DecisionCall) {
        visitor.apply(change, in: project)
        call.add(.store(change))
    }

    private func trace(_ value: Int, of visitorID: String, in experience: ExperienceRow) -> Explanation.Bucketing {
        let options = project.options.bucketing
        let model = project.model(experience.index)
        return Explanation.Bucketing(
            hashInput: (options.excludesExperienceID ? "" : model.id.text) + visitorID,
            seed: options.hashSeed, maxTraffic: options.maxTraffic, value: value, layout: experience.layout,
            ranges: project.ranges[experience.ranges.indices].map {
                let variation = model.variations[$0.variation]
                return Explanation.Bucketing.Range(
                    variationID: variation.id?.text ?? "", variationKey: variation.key, start: $0.start, end: $0.end)
            })
    }
}
