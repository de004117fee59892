import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

extension ConvertContext {
    /// The one way from a question to its answer: decides, commits what follows, and tells listeners.
    ///
    /// - Parameters:
    ///   - question: what is asked, for the decision log.
    ///   - decide: what the engine concludes.
    ///   - spell: the answer that a conclusion stands for. It is asked for once, of the conclusion that holds.
    ///   - record: all that the conclusion stands for, for listeners and the decision log.
    ///   - tellRecord: tells listeners of it, after the effects.
    ///   - unready: the answer if there is no config.
    @inline(__always)
    func answer<Conclusion: Sendable, Value: Sendable, Record: LoggableValue>(
        _ question: @autoclosure () -> LoggedQuestion, _ options: DecisionOptions,
        _ decide: (ConfigSnapshot, inout Visitor) -> Answer<Conclusion>,
        spelling spell: (Conclusion, ConfigSnapshot) -> Value,
        recording record: (Conclusion, ConfigSnapshot) -> Record, telling tellRecord: (Record) -> Void,
        unready: () -> Value
    ) -> Value {
        // Kept only for listeners, which a server seldom has.
        var untold: (snapshot: ConfigSnapshot, answer: Answer<Conclusion>)?
        let value = withVisitor(or: unready()) { state, snapshot, visitor in
            // A copy counts five references, and a call that stores and reports nothing needs none (W1-sdk).
            let needsBefore =
                options.isStorageEnabled || options.isTrackingEnabled || state.hasUnstored || basis.hasLog
            var before = needsBefore ? visitor.state : VisitorState()
            var answer = decide(snapshot, &visitor)
            if !answer.effects.isEmpty || state.hasUnstored {
                answer = reconcile(answer, from: &before, snapshot, &visitor, &state, again: decide)
            }
            if tells(options, visitor.isPreviewing) { untold = (snapshot, answer) }
            if basis.hasLog {
                log(record(answer.value, snapshot), to: question(), options, of: visitor, knowing: before, snapshot)
            }
            return spell(answer.value, snapshot)
        }
        if let untold {
            tell(untold.answer.effects, of: untold.snapshot)
            tellRecord(record(untold.answer.value, untold.snapshot))
        }
        return value
    }

    /// Commits what an answer asks for, except telling it. Called only if there are effects, or something unstored.
    ///
    /// Another context of the visitor may have decided the same since this one was made. Then its decision counts, as if
    /// they had one record, and is not reported again: `decide` is run again in knowledge of it.
    ///
    /// - Parameter before: what was stored before `answer`. It is decided anew from there, with what the others decided, which
    ///   it has then: decisions depend on those before them, and events report the segments of before the call.
    /// - Returns: the answer that holds.
    @inline(never)
    func reconcile<Value>(
        _ answer: Answer<Value>, from before: inout VisitorState, _ snapshot: ConfigSnapshot, _ visitor: inout Visitor,
        _ state: inout State, again decide: (ConfigSnapshot, inout Visitor) -> Answer<Value>
    ) -> Answer<Value> {
        let project = snapshot.experiences.project
        var answer = answer
        var known = before.bucketing ?? JSObject()
        while case .taken(let earlier) = commit(
            answer.effects, knowing: known, of: snapshot, isPreviewing: visitor.isPreviewing, &state,
            during: state.load)
        {
            for decision in earlier.decisions { known[decision.experience] = decision.variation }
            visitor.replaceState(before, in: project)
            for decision in earlier.decisions {
                guard let variation = decision.variation else { continue }
                visitor.apply(.bucketing(experienceID: decision.experience, variationID: variation), in: project)
            }
            before = visitor.state
            // What it decides anew now is meant to replace the other's decision: a forced variation, for one.
            answer = decide(snapshot, &visitor)
        }
        return answer
    }

    /// What came of committing effects.
    enum Commitment {
        /// They happened.
        case made
        /// Nothing happened, because others claimed this before.
        case taken(VisitorClaim)
        /// The end has come. What would be reported is given up, and not stored either: a later process is to report it.
        case tooLate
    }

    /// Makes `effects` happen, except telling them, unless others claimed some of it before. Called under the context's lock,
    /// so that a visitor's events queue in the order in which they were made.
    ///
    /// First the claim is made in memory, then its events and the claim itself are appended to the journal, in one step,
    /// and only then may the store save it. What is stored and not reported is claimed in the journal, too: later decisions
    /// are made in knowledge of it.
    /// - Parameters:
    ///   - known: variations by experience that the effects were made in knowledge of, and may replace.
    ///   - load: the load that the context waits for.
    func commit(
        _ effects: [DecisionEffect], knowing known: JSObject = JSObject(), of snapshot: ConfigSnapshot,
        isPreviewing: Bool, _ state: inout State, during load: Int?
    ) -> Commitment {
        // By index: to take an effect out copies all that it holds.
        for index in effects.indices {
            if case .warn(let warning) = effects[index] { engine.log.once(.decision, "\(warning)", "\(warning)") }
        }
        var changes: [VisitorStateChange] = []
        var claim = VisitorClaim()
        var events: [QueuedEvent] = []
        if state.hasUnstored, !isPreviewing, let unstored = state.details.unstored { changes.append(unstored) }
        for index in effects.indices {
            switch effects[index] {
            case .store(let change):
                claim.add(change, knowing: known)
                changes.append(change)
            case .track(let event, let segments):
                claim.add(event, knowing: known)
                events.append(
                    QueuedEvent(
                        destination: snapshot.destination, visitorID: visitorID, segments: segments,
                        content: .tracked(event)))
            case .warn, .locationActivated, .locationDeactivated:
                break
            }
        }
        let reports = !events.isEmpty && !engine.isOffline
        if reports, !engine.delivery.gate.enter() {
            engine.delivery.refuse(events.count, .shutDown)
            return .tooLate
        }
        defer { if reports { engine.delivery.gate.leave() } }
        if !changes.isEmpty || !events.isEmpty {
            let key = key(in: snapshot)
            let isAnnounced = claim.isStored && engine.records.keepsRows
            switch engine.records.commit(changes, claiming: claim, for: key, during: load, isAnnounced: isAnnounced) {
            case .taken(let earlier): return .taken(earlier)
            case .made(let keeper):
                let claim = isAnnounced ? KeyedClaim(key: key, claim: claim, keeper: keeper) : nil
                var row: Int64?
                if engine.isOffline {
                    engine.sink?.take(effects.tracked, visitorID: visitorID, config: snapshot.config)
                } else if !events.isEmpty || claim != nil {
                    row = engine.delivery.track(events, claiming: claim)
                }
                if let claim { engine.records.didJournal(claim, as: row) }
            }
            if state.hasUnstored, !isPreviewing { state.details.unstored = nil }
        }
        return .made
    }

    /// Tells the location and segment events among `effects`.
    func tell(_ effects: [DecisionEffect], of snapshot: ConfigSnapshot) {
        guard engine.hub.hasSubscribers else { return }
        for effect in effects {
            switch effect {
            case .locationActivated(let index):
                engine.hub.tell(.locationActivated(visitorID: visitorID, location: snapshot.location(at: index)))
            case .locationDeactivated(let index):
                engine.hub.tell(.locationDeactivated(visitorID: visitorID, location: snapshot.location(at: index)))
            case .store(.segments(let segments)):
                engine.hub.tell(.segments(visitorID: visitorID, segments))
            case .store, .track, .warn:
                break
            }
        }
    }

    /// Whether a call brings no location properties and the context has some, or something may be forced.
    @inline(__always)
    func needsCompletion(_ options: DecisionOptions) -> Bool {
        locationProperties != nil && options.locationProperties == nil
            || basis.isForcible && options.forcedVariations == nil
    }

    /// The options of a call, with the context's location properties if it brings none, and with what is forced.
    func completed(_ options: DecisionOptions) -> DecisionOptions {
        guard needsCompletion(options) else { return options }
        var options = options
        if options.locationProperties == nil { options.locationProperties = locationProperties }
        if basis.isForcible { options.forcedVariations = forcedVariations }
        return options
    }
}

extension [DecisionEffect] {
    /// The events that they report.
    fileprivate var tracked: [TrackingEvent] {
        compactMap { if case .track(let event, _) = $0 { event } else { nil } }
    }
}

/// What effects claim: the decisions that are stored or reported, and the goals.
extension VisitorClaim {
    fileprivate mutating func add(_ change: VisitorStateChange, knowing known: JSObject) {
        switch change {
        case .goal(let goal): goals.append(goal)
        case .bucketing(let experience, let variation):
            decisions.append(Decision(experience: experience, variation: variation, replaced: known[experience]))
        case .segments, .locations: break
        }
    }

    fileprivate mutating func add(_ event: TrackingEvent, knowing known: JSObject) {
        // Behind the change that it reports, if the decision is stored.
        guard case .bucketing(let experienceID, _) = event,
            !(decisions.last?.experience.name.hasSameCodeUnits(as: experienceID) ?? false)
        else { return }
        let experience = PropertyKey(experienceID)
        decisions.append(Decision(experience: experience, variation: nil, replaced: known[experience]))
    }
}

extension ConfigSnapshot {
    fileprivate func location(at index: Int) -> SDKEvent.LocationReference {
        let location = config.locations[index]
        return SDKEvent.LocationReference(id: location.id.text, key: location.key ?? "", name: location.name)
    }
}
