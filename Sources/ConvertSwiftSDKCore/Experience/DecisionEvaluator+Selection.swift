internal import ConvertECMAScript

extension DecisionEvaluator {
    /// Behind the gates: forced, stored or bucketed, in this order.
    func select<Observer: DecisionObserver>(
        _ experience: ExperienceRow, in project: Project, for visitor: inout Visitor,
        effects: consuming [DecisionEffect], observer: inout Observer
    ) -> Decision {
        var asked = options.forcedVariationID.flatMap {
            $0.isEmpty ? nil : indexOfVariation($0, of: experience, project)
        }
        if asked == nil, let name = options.forcedVariation {
            asked = project.model(experience.idOwner).variation(named: name)
        }
        let forced = options.isForcing ? forcedVariation(of: experience, project) ?? asked : asked
        if let stored = storedVariation(of: experience, in: visitor.state, project), forced == nil || forced == stored {
            observer.didReach(.selection, passed: true, "the stored decision")
            let variation = BucketedVariation.make(
                share: share, experience: experience.index, owner: experience.idOwner, variation: stored,
                source: .stored, bucketingAllocation: nil)
            return Decision(outcome: .variation(variation), effects: effects)
        }
        let value = project.bucketing.bucketValue(visitorID: visitor.id, continuing: experience.hash)
        let bucketed = project.variation(for: Double(value), in: experience)
        observer.didBucket(trace(value, of: visitor.id, in: experience, project))
        guard forced != nil || bucketed != nil else {
            observer.didReach(.selection, passed: false, "bucket value \(value) lies outside of every arm")
            return Decision(outcome: .none(.notBucketed), effects: effects)
        }
        let index = forced ?? bucketed.flatMap { project.foundVariation($0, of: experience) }
        observer.didReach(
            .selection, passed: index != nil,
            (forced != nil ? "forced" : "bucket value \(value)") + (index == nil ? ": not found" : ""))
        if isTrackingEnabled || isStorageEnabled,
            let selected = selectedID(forced: forced, bucketed: bucketed, in: experience, project)
        {
            record(selected, experience, in: project, for: &visitor, effects: &effects)
        }
        guard let index else {
            return Decision(outcome: .none(.variationNotFound), effects: effects)
        }
        let variation = BucketedVariation.make(
            share: share, experience: experience.index, owner: experience.idOwner, variation: index,
            source: forced == nil ? .bucketed : .forced, bucketingAllocation: bucketed == nil ? nil : value)
        return Decision(outcome: .variation(variation), effects: effects)
    }

    /// The id that is stored and tracked: the forced one if there is one.
    private func selectedID(forced: Int?, bucketed: Int?, in experience: ExperienceRow, _ project: Project)
        -> EntityID?
    {
        if let forced { return project.model(experience.idOwner).variations[forced].id }
        return bucketed.flatMap { project.model(experience.index).variations[$0].id }
    }

    private func record(
        _ variation: EntityID, _ experience: ExperienceRow, in project: Project,
        for visitor: inout Visitor, effects: inout [DecisionEffect]
    ) {
        let experienceID = project.model(experience.index).id
        // What is reported with the event are the segments stored before this decision.
        var segments = visitor.state.segments
        if project.options.semantics.takesNamedAttributesForRuleData,
            (callAttributes?.source ?? visitor.merging(JSObject())).isNamedRuleData
        {
            segments = JSObject()
        }
        if isStorageEnabled {
            // The packed layout's arms are keys of an object there, hence text; the anchored layout's stay as they are.
            let id = experience.layout == .anchored ? variation.value : .string(variation.text)
            var changes: [VisitorStateChange] = [.bucketing(experienceID: experienceID.key, variationID: id)]
            if options.updatesVisitorProperties {
                changes.append(.segments(callAttributes?.source ?? visitor.merging(JSObject())))
            }
            for change in changes {
                visitor.apply(change, in: project)
                effects.append(.store(change))
            }
        }
        if isTrackingEnabled {
            let event = TrackingEvent.bucketing(experienceID: experienceID.text, variationID: variation.text)
            effects.append(.track(event, segments: segments))
        }
    }

    private func trace(
        _ value: Int, of visitorID: String, in experience: ExperienceRow, _ project: Project
    ) -> Explanation.Bucketing {
        let options = project.options.bucketing
        let model = project.model(experience.index)
        return Explanation.Bucketing(
            hashInput: (options.excludesExperienceID ? "" : model.id.text) + visitorID,
            seed: options.hashSeed, maxTraffic: options.maxTraffic, value: value, layout: experience.layout,
            ranges: project.ranges[experience.ranges.indices].map {
                Explanation.Bucketing.Range(
                    variationID: model.variations[$0.variation].id?.text ?? "", start: $0.start, end: $0.end)
            })
    }
}
