import ConvertLedgers
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertConcurrency

extension ConvertContext {
    /// Answers a call: decides, commits the effects, and informs listeners and the decision log.
    ///
    /// - Parameters:
    ///   - question: the call, for the decision log.
    ///   - decide: computes the engine's conclusion with the options that it receives.
    ///   - spell: converts the final conclusion to the call's result. Called once.
    ///   - record: converts the final conclusion to the full answer, for listeners and the decision log.
    ///   - tellRecord: informs listeners of the answer, after the effects.
    ///   - unready: the result if there is no config.
    @inline(__always)
    func answer<Conclusion: Sendable, Value: Sendable, Record: LoggableValue>(
        _ question: @autoclosure () -> LoggedQuestion, _ options: DecisionOptions,
        _ decide: (ConfigSnapshot, inout Visitor, DecisionOptions) -> Answer<Conclusion>,
        spelling spell: (Conclusion, ConfigSnapshot) -> Value,
        recording record: (Conclusion, ConfigSnapshot) -> Record, telling tellRecord: (Record) -> Void,
        unready: () -> Value
    ) -> Value {
        // Set only if there are listeners, which is rare on a server.
        var untold: Untold<Record>?
        let value = withVisitor(or: unready()) { state, snapshot, visitor in
            // Copy the state only for a call that may store, report or log something: the copy is slow (W1-sdk).
            let needsBefore =
                options.isStorageEnabled || options.isTrackingEnabled || state.hasUnstored || basis.hasLog
            var before = needsBefore ? visitor.state : VisitorState()
            var answer = decide(snapshot, &visitor, options)
            if !answer.effects.isEmpty || state.hasUnstored {
                answer = reconcile(answer, options, from: &before, snapshot, &visitor, &state, again: decide)
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

    /// The answer that listeners receive after the lock is released. A class, so that a call without listeners stores
    /// only a pointer.
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

    /// Commits the effects of an answer, except those for listeners. Called only if there are effects or unstored
    /// segments.
    ///
    /// Another context of the visitor may have made the same decision since this call began. Its decision then counts
    /// and is not reported again: `decide` runs again with knowledge of it.
    ///
    /// - Parameter before: the stored state before `answer`. On return it includes the other contexts' decisions.
    ///   Decisions depend on earlier ones, and events report the segments from before the call.
    /// - Returns: the final answer.
    @inline(never)
    func reconcile<Value>(
        _ answer: Answer<Value>, _ options: DecisionOptions, from before: inout VisitorState,
        _ snapshot: ConfigSnapshot, _ visitor: inout Visitor, _ state: inout State,
        again decide: (ConfigSnapshot, inout Visitor, DecisionOptions) -> Answer<Value>
    ) -> Answer<Value> {
        var answer = answer
        while case .taken = commit(
            answer.effects, knowing: before.bucketing ?? JSObject(), of: snapshot,
            isPreviewing: visitor.isPreviewing, &state)
        {
            readRecord(&state, &visitor, in: snapshot)
            before = visitor.state
            // A decision made now replaces the other context's decision on purpose, such as a forced variation.
            answer = decide(snapshot, &visitor, options)
        }
        return answer
    }

    /// Performs `effects`, except those for listeners, unless other contexts have claimed some of them. Called under
    /// the context's lock, so that a visitor's events are queued in the order in which they were made.
    ///
    /// - Parameters:
    ///   - known: the stored variations by experience that the effects were decided with, and may replace.
    ///   - repeatsValues: whether a conversion's values are reported although its goal was triggered before.
    func commit(
        _ effects: [DecisionEffect], knowing known: JSObject = JSObject(), of snapshot: ConfigSnapshot,
        isPreviewing: Bool, repeatsValues: Bool = false, _ state: inout State
    ) -> VisitorRecord.Commit {
        // By index: taking an effect out would copy all its contents.
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
        if parts.isEmpty { return .made(from: 0, to: 0) }
        let record = state.record ?? engine.records.opened(snapshot.visitorKey(visitorID))
        var isUnstored = state.isUnstored
        let commit = record.commit(parts.changes, claiming: parts.claim) { changes in
            handOn(changes, parts.events, effects, record, snapshot, &isUnstored)
        }
        state.isUnstored = isUnstored
        switch commit {
        case .taken: break
        case .refused(let reason):
            // The context forgets its decisions, as all others do, and decides again.
            if reason == .overflow { state.revision = 0 }
            engine.delivery.handle(.refused(parts.events.count, reason))
        case .made(let before, let after):
            // If another context changed the record meanwhile, the next call reads it.
            let wasCurrent = before == (state.record == nil ? VisitorRecord.firstRevision : state.revision)
            (state.record, state.revision) = (record, wasCurrent ? after : 0)
            if state.hasUnstored, !isPreviewing { state.details.unstored = nil }
        }
        return commit
    }

    /// Passes a call's changes and events to the ledger's writer. Without a ledger, passes the events to the delivery.
    private func handOn(
        _ changes: VisitorChanges, _ events: [(event: QueuedEvent, fact: LedgerEvent.Fact?)],
        _ effects: [DecisionEffect], _ record: VisitorRecord, _ snapshot: ConfigSnapshot,
        _ isUnstored: inout Bool
    ) -> VisitorRecord.Handover {
        if engine.isOffline {
            let tracked = effects.tracked
            // As online: tests of an app then see what follows a shutdown.
            if !tracked.isEmpty, engine.delivery.isStopped { return .refused(.shutDown) }
            engine.sink?.take(tracked, visitorID: visitorID, config: snapshot.config)
        }
        let events = engine.isOffline ? [] : events
        guard let writer = engine.writer else {
            return events.isEmpty || engine.delivery.track(events.map(\.event)) ? .done : .refused(.shutDown)
        }
        let handover = writer.add(LedgerWriter.Item(record: record, changes: changes, events: events))
        switch handover {
        case .unstored, .refused(.overflow): isUnstored = true
        default: break
        }
        return handover
    }

    /// Informs listeners of the location and segment changes in `effects`.
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

    /// Whether the context's location properties or forced answers must be added to the options.
    @inline(__always)
    func needsCompletion(_ options: DecisionOptions) -> Bool {
        locationProperties != nil && options.locationProperties == nil
            || basis.isForcible && options.forcedVariations == nil
    }

    /// The options, with forced variations, and with the context's location properties unless they have their own.
    func completed(_ options: DecisionOptions) -> DecisionOptions {
        guard needsCompletion(options) else { return options }
        var options = options
        if options.locationProperties == nil { options.locationProperties = locationProperties }
        if basis.isForcible { options.forcedVariations = forcedVariations }
        return options
    }
}

extension [DecisionEffect] {
    /// The tracking events in the effects.
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
