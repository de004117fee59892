import ConvertLedgers
import ConvertECMAScript
import ConvertMonitoring
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
        var untold: Untold<Record>?
        let value = withVisitor(or: unready()) { state, snapshot, visitor in
            // A copy counts five references, and a call that stores and reports nothing needs none (W1-sdk).
            let needsBefore =
                options.isStorageEnabled || options.isTrackingEnabled || state.hasUnstored || basis.hasLog
            var before = needsBefore ? visitor.state : VisitorState()
            var answer = decide(snapshot, &visitor)
            if !answer.effects.isEmpty || state.hasUnstored {
                answer = reconcile(answer, from: &before, snapshot, &visitor, &state, again: decide)
            }
            if tells(options, visitor.isPreviewing) {
                untold = Untold(snapshot, answer.effects, record(answer.value, snapshot))
            }
            if basis.hasLog {
                log(record(answer.value, snapshot), to: question(), options, of: visitor, knowing: before, snapshot)
            }
            return spell(answer.value, snapshot)
        }
        if let untold {
            tell(untold.effects, of: untold.snapshot)
            tellRecord(untold.record)
        }
        return value
    }

    /// What listeners are to be told when the lock is free. An object, so that the calls that tell nothing carry a
    /// pointer.
    private final class Untold<Record: Sendable>: Sendable {
        let snapshot: ConfigSnapshot
        let effects: [DecisionEffect]
        let record: Record

        init(_ snapshot: ConfigSnapshot, _ effects: [DecisionEffect], _ record: Record) {
            self.snapshot = snapshot
            self.effects = effects
            self.record = record
        }
    }

    /// Commits what an answer asks for, except telling it. Called only if there are effects, or something unstored.
    ///
    /// Another context of the visitor may have decided the same since this call began. Then its decision counts and is
    /// not reported again: `decide` is run again in knowledge of it.
    ///
    /// - Parameter before: what was stored before `answer`. It is decided anew from there, with what the others
    ///   decided, which it has then: decisions depend on those before them, and events report the segments of before
    ///   the call.
    /// - Returns: the answer that holds.
    @inline(never)
    func reconcile<Value>(
        _ answer: Answer<Value>, from before: inout VisitorState, _ snapshot: ConfigSnapshot, _ visitor: inout Visitor,
        _ state: inout State, again decide: (ConfigSnapshot, inout Visitor) -> Answer<Value>
    ) -> Answer<Value> {
        var answer = answer
        while case .taken = commit(
            answer.effects, knowing: before.bucketing ?? JSObject(), of: snapshot,
            isPreviewing: visitor.isPreviewing, &state)
        {
            readRecord(&state, &visitor, in: snapshot)
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
        case taken
        /// Nothing happened: what would be reported is given up, and not stored either.
        case refused(VisitorRecord.Refusal)
    }

    /// Makes `effects` happen, except telling them, unless others claimed some of it before. Called under the context's
    /// lock, so that a visitor's events queue in the order in which they were made.
    ///
    /// - Parameters:
    ///   - known: variations by experience that the effects were made in knowledge of, and may replace.
    ///   - repeatsValues: whether a conversion's values are reported although its goal was triggered before.
    func commit(
        _ effects: [DecisionEffect], knowing known: JSObject = JSObject(), of snapshot: ConfigSnapshot,
        isPreviewing: Bool, repeatsValues: Bool = false, _ state: inout State
    ) -> Commitment {
        // By index: to take an effect out copies all that it holds.
        for index in effects.indices {
            if case .warn(let warning) = effects[index] { engine.log.once(.decision, "\(warning)", "\(warning)") }
        }
        var parts = CommitParts(repeatsValues: repeatsValues)
        if state.hasUnstored, !isPreviewing, let unstored = state.details.unstored { parts.changes.append(unstored) }
        for index in effects.indices {
            switch effects[index] {
            case .store(let change): parts.add(change, knowing: known)
            case .track(let event, let segments):
                let queued = QueuedEvent(
                    destination: snapshot.destination, visitorID: visitorID, segments: segments,
                    content: .tracked(event))
                parts.add(event, queued, knowing: known)
            case .warn, .locationActivated, .locationDeactivated: break
            }
        }
        if parts.isEmpty { return .made }
        let record = state.record ?? engine.records.opened(snapshot.visitorKey(visitorID))
        var isUnstored = state.isUnstored
        let commit = record.commit(parts.changes, claiming: parts.claim) { changes in
            handOn(changes, parts.events, effects, record, snapshot, &isUnstored)
        }
        state.isUnstored = isUnstored
        switch commit {
        case .taken: return .taken
        case .refused(let refusal):
            // The context forgets what it decided, as all others do, and decides again.
            if refusal == .overflow { state.revision = 0 }
            engine.delivery.handle(.refused(parts.events.count, refusal == .shutDown ? .shutDown : .overflow))
            return .refused(refusal)
        case .made(let before, let after):
            // Otherwise others changed the record meanwhile, and the next call reads it.
            let wasCurrent = before == (state.record == nil ? VisitorRecord.firstRevision : state.revision)
            (state.record, state.revision) = (record, wasCurrent ? after : 0)
            if state.hasUnstored, !isPreviewing { state.details.unstored = nil }
            return .made
        }
    }

    /// Hands on what a call changes and reports: to the ledger, if there is one, or else what it reports to the
    /// delivery.
    private func handOn(
        _ changes: VisitorChanges, _ events: [(event: QueuedEvent, fact: LedgerEvent.Fact?)],
        _ effects: [DecisionEffect], _ record: VisitorRecord, _ snapshot: ConfigSnapshot,
        _ isUnstored: inout Bool
    ) -> VisitorRecord.Handover {
        if engine.isOffline {
            engine.sink?.take(effects.tracked, visitorID: visitorID, config: snapshot.config)
        }
        let events = engine.isOffline ? [] : events
        guard let writer = engine.writer else {
            return events.isEmpty || engine.delivery.track(events.map(\.event)) ? .done : .refused(.shutDown)
        }
        switch writer.add(LedgerWriter.Item(record: record, changes: changes, events: events)) {
        case .made(let ticket): return .queued(ticket)
        case .unstored:
            isUnstored = true
            return .done
        case .isFull:
            isUnstored = true
            return .refused(.overflow)
        case .isClosed: return events.isEmpty ? .done : .refused(.shutDown)
        }
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

extension ConfigSnapshot {
    fileprivate func location(at index: Int) -> SDKEvent.LocationReference {
        let location = config.locations[index]
        return SDKEvent.LocationReference(id: location.id.text, key: location.key ?? "", name: location.name)
    }
}
