import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

extension ConvertContext {
    /// Performs what a decision asks for, except telling it. Called only if there are effects, or something unstored.
    ///
    /// Another context of the visitor may have decided the same since this one was made. Then its decision counts, as if
    /// they had one record, and is not reported again: `decide` is run again in knowledge of it, and `answer` and
    /// `effects` become what holds then.
    ///
    /// - Parameter before: what was stored before `answer`, of which several decisions came: each depends on those before
    ///   it, so that none of them holds if one does not. `nil` for a single decision.
    @inline(never)
    func settle<Answer>(
        _ answer: inout Answer, _ effects: inout [DecisionEffect], from before: VisitorState? = nil,
        _ snapshot: ConfigSnapshot, _ visitor: inout Visitor, _ state: inout State,
        again decide: (inout Visitor) -> (Answer, [DecisionEffect])
    ) {
        let project = snapshot.experiences.project
        var known = before?.bucketing ?? JSObject()
        var others: [VisitorDecision] = []
        while true {
            let new = effects.newDecisions
            if new.isEmpty { break }
            let earlier = engine.memory.claim(
                new, for: snapshot.visitorKey(visitorID), knowing: known, isHeld: state.isLoading)
            if earlier.isEmpty { break }
            others += earlier
            for decision in earlier { known[decision.experience] = decision.variation }
            if let before {
                visitor.replaceState(before, in: project)
                effects = []
            } else {
                effects.removeAll { effect in earlier.contains { effect.concerns($0.experience) } }
            }
            for decision in others {
                guard let variation = decision.variation else { continue }
                visitor.apply(.bucketing(experienceID: decision.experience, variationID: variation), in: project)
            }
            // What it decides anew now is meant to replace the other's decision: a forced variation, for one.
            let next = decide(&visitor)
            answer = next.0
            effects += next.1
        }
        perform(effects, of: snapshot, isPreviewing: visitor.isPreviewing, &state)
    }

    /// Performs `effects`, except telling them. Called under the context's lock, so that a visitor's events queue in the
    /// order in which they were made.
    func perform(
        _ effects: [DecisionEffect], of snapshot: ConfigSnapshot, isPreviewing: Bool, _ state: inout State
    ) {
        if let unstored = state.unstored, !isPreviewing {
            state.unstored = nil
            store([unstored], key: snapshot.visitorKey(visitorID), &state)
        }
        if effects.isEmpty { return }
        let key = snapshot.visitorKey(visitorID)
        let isTracking = engine.isTrackingEnabled.load(ordering: .relaxed)
        var changes: [VisitorStateChange] = []
        for effect in effects {
            switch effect {
            case .store(let change):
                changes.append(change)
            case .track(let event, let segments):
                guard isTracking else { continue }
                engine.delivery.track(
                    QueuedEvent(
                        destination: snapshot.destination, visitorID: visitorID, segments: segments,
                        payload: event.payload))
            case .warn(let warning):
                engine.log.once(.decision, "\(warning)", "\(warning)")
            case .locationActivated, .locationDeactivated:
                break
            }
        }
        store(changes, key: key, &state)
    }

    /// Tells the location and segment events among `effects`.
    func tell(_ effects: [DecisionEffect], of snapshot: ConfigSnapshot) {
        guard engine.hub.hasSubscribers else { return }
        for effect in effects {
            switch effect {
            case .locationActivated(let index):
                engine.hub.fire(.locationActivated(visitorID: visitorID, location: snapshot.location(at: index)))
            case .locationDeactivated(let index):
                engine.hub.fire(.locationDeactivated(visitorID: visitorID, location: snapshot.location(at: index)))
            case .store(.segments(let segments)):
                engine.hub.fire(.segments(visitorID: visitorID, segments))
            case .store, .track, .warn:
                break
            }
        }
    }

    /// Whether a call brings no location properties and the context has some.
    func needsCompletion(_ options: DecisionOptions) -> Bool {
        locationProperties != nil && options.locationProperties == nil
    }

    /// The options of a call, with the context's location properties if it brings none.
    func completed(_ options: DecisionOptions) -> DecisionOptions {
        guard let locationProperties, options.locationProperties == nil else { return options }
        var options = options
        options.locationProperties = locationProperties
        return options
    }
}

extension [DecisionEffect] {
    /// The decisions that are to be reported.
    fileprivate var newDecisions: [VisitorDecision] {
        compactMap { effect in
            guard case .track(.bucketing(let experienceID, _), _) = effect else { return nil }
            let experience = PropertyKey(experienceID)
            for case .store(.bucketing(experience, let variation)) in self {
                return VisitorDecision(experience: experience, variation: variation)
            }
            return VisitorDecision(experience: experience, variation: nil)
        }
    }
}

extension DecisionEffect {
    /// Whether it stores or reports a decision for an experience.
    fileprivate func concerns(_ experience: PropertyKey) -> Bool {
        switch self {
        case .store(.bucketing(experience, _)): true
        case .track(.bucketing(let experienceID, _), _): PropertyKey(experienceID) == experience
        default: false
        }
    }
}

extension ConfigSnapshot {
    fileprivate func location(at index: Int) -> SDKEvent.LocationReference {
        let location = config.locations[index]
        return SDKEvent.LocationReference(id: location.id.text, key: location.key, name: location.name)
    }
}
