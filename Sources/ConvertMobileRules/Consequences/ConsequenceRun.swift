internal import ConvertConcurrency
internal import ConvertECMAScript
internal import Foundation

/// Performs the consequences of one event, in order: changes the event, dispatches events, records occurrences, and
/// collects consequences for handlers.
struct ConsequenceRun {
    /// The maximum number of successive events that consequences trigger from each other.
    private static let chainLimit = 1
    /// The schema of consequences that the engine performs itself: they record events in the event history.
    static let historySchema = "https://ns.adobe.com/personalization/eventHistoryOperation"

    let history: any EventHistory
    let profile: ClientSideProfile
    let assets: RulesAssets
    /// The time of recorded events, in milliseconds since 1970.
    let now: Int64

    private(set) var event: MobileEvent
    private(set) var dispatched: [MobileEvent] = []
    private(set) var triggered: [TriggeredConsequence] = []
    private(set) var recorded: [JSObject] = []
    private(set) var waitingRecords: [WaitingRecord] = []
    private(set) var warnings: [MobileRulesWarning] = []
    /// Whether an `iam` was passed to its handler.
    private(set) var hasMessage: Bool
    /// Whether the event's data is the result of a merge.
    private var hasMerged = false
    private var hasSkippedDispatch = false
    /// The remaining budget of the event and the events that it triggers.
    private(set) var budget: EventBudget

    init(
        _ event: MobileEvent, _ environment: EvaluationEnvironment, profile: ClientSideProfile, assets: RulesAssets,
        budget: EventBudget, hasMessage: Bool
    ) {
        self.event = event
        self.hasMessage = hasMessage
        self.budget = budget
        self.profile = profile
        self.assets = assets
        history = environment.history
        now = environment.now
    }

    /// Performs one consequence. If it lacks required data, it is skipped with a warning.
    mutating func run(_ resolved: ResolvedConsequence) {
        let consequence = resolved.consequence
        let detail = consequence.detail
        let fault: String?
        switch consequence.type {
        case "add": fault = merge(detail, overwrites: false)
        case "mod": fault = merge(detail, overwrites: true)
        case "dispatch": fault = dispatch(detail)
        case "schema": fault = schema(detail, resolved)
        case "csp":
            let profileFault = change(detail)
            fault = handOn(resolved) ?? profileFault
        case "iam":
            // Only the first of several messages for one event is shown.
            fault = hasMessage ? nil : handOn(resolved)
            hasMessage = true
        default:
            fault = handOn(resolved)
        }
        if let fault { warnings.append(resolved.warning(fault)) }
    }

    /// Records the event, as changed by the consequences, if the event requests it. Its rules have run before, so the
    /// event never counts itself.
    mutating func recordEvent() {
        guard let mask = event.mask, let data = event.data else { return }
        if event.exceedsLimits {
            // The evaluation has already warned about an event that was too large when it arrived.
            if hasMerged {
                let fault = "the event is not recorded: merges made its data too deep, or its flattened names too long."
                warnings.append(MobileRulesWarning(at: "event history", fault))
            }
            return
        }
        let fingerprint = EventFingerprint(of: data, mask: mask)
        guard fingerprint != .none else { return }
        do {
            if case .waits(let ticket) = try begin(fingerprint, onlyIfNew: false) {
                waitingRecords.append(WaitingRecord(ticket: ticket))
            }
        } catch {
            warnings.append(MobileRulesWarning(at: "event history", "the event could not be recorded. \(error.forLog)"))
        }
    }

    private mutating func merge(_ detail: JSObject, overwrites: Bool) -> String? {
        guard case .object(let payload)? = detail["eventdata"] else {
            return "skipped: it needs an object 'eventdata'."
        }
        // Take the data out of the event: a change of data that is still in it copies the data.
        guard var data = event.takeData() else { return "nothing is changed: the event has no data." }
        defer { event.data = data }
        // This is reported once. The budget is not restored, because otherwise any number of merges could each use it
        // up again.
        guard budget.mergeRoom >= 0 else { return nil }
        var merge = DataMerge(overwrites: overwrites, room: budget.mergeRoom)
        let merged = merge.merge(payload, into: data, isClean: hasMerged)
        budget.mergeRoom = merge.room
        guard let merged else {
            return
                "skipped: merges into this event, and the events it dispatches, exceed "
                + "\(MobileRulesLimits.mergedValues) values. The data stays, and no later 'add' or 'mod' changes it."
        }
        data = merged
        hasMerged = true
        return nil
    }

    private mutating func dispatch(_ detail: JSObject) -> String? {
        guard case .string(let type)? = detail["type"], case .string(let source)? = detail["source"] else {
            return "skipped: a dispatch needs the texts 'type' and 'source'."
        }
        let data: JSObject?
        var fault: String?
        switch detail["eventdataaction"] {
        case "copy": data = event.data
        case "new":
            let payload = detail["eventdata"]
            if payload?.objectValue == nil, payload?.isNull == false {
                fault = "the event is dispatched without data: 'eventdata' must be an object."
            }
            data = payload?.objectValue.map { payload in
                JSObject(payload.lazy.filter { !$0.value.isNull }.map { ($0.key.name, $0.value) })
            }
        default: return "skipped: 'eventdataaction' of a dispatch must be copy or new."
        }
        guard event.generation < Self.chainLimit else {
            return "skipped: an event that a consequence created cannot dispatch events."
        }
        guard dispatched.count < MobileRulesLimits.dispatchedEvents else {
            defer { hasSkippedDispatch = true }
            return hasSkippedDispatch
                ? nil
                : "skipped, like later ones: an event dispatches at most \(MobileRulesLimits.dispatchedEvents) events."
        }
        dispatched.append(MobileEvent(type: type, source: source, data: data, generation: event.generation + 1))
        return fault
    }

    private mutating func schema(_ detail: JSObject, _ resolved: ResolvedConsequence) -> String? {
        guard case .string? = detail["id"], case .string(let schema)? = detail["schema"],
            case .object(let data)? = detail["data"]
        else { return "skipped: a schema needs the texts 'id' and 'schema' and the object 'data'." }
        if schema == Self.historySchema {
            let isNew: Bool
            switch data["operation"] {
            case "insert": isNew = false
            case "insertIfNotExists": isNew = true
            default: return "skipped: 'operation' must be insert or insertIfNotExists."
            }
            guard case .object(let content)? = data["content"], !content.isEmpty else {
                return "skipped: 'content' must be an object with members."
            }
            let fingerprint = EventFingerprint(of: content)
            if fingerprint == .none {
                return
                    "skipped: 'content' has nothing to remember; it needs a number, a bool or a text that is not empty."
            }
            do {
                return try handOn(resolved, recording: content, as: fingerprint, onlyIfNew: isNew)
            } catch {
                return "skipped: the event history failed. \(error.forLog)"
            }
        }
        return handOn(resolved)
    }

    /// Records `content`, and passes the consequence to its handler, unless the record had to be new and already
    /// existed.
    private mutating func handOn(
        _ resolved: ResolvedConsequence, recording content: JSObject, as fingerprint: EventFingerprint,
        onlyIfNew: Bool
    ) throws -> String? {
        switch try begin(fingerprint, onlyIfNew: onlyIfNew) {
        case .isWritten(isNew: false): return nil
        case .isWritten(isNew: true):
            recorded.append(content)
            return handOn(resolved)
        case .waits(let ticket):
            var record = WaitingRecord(ticket: ticket, consequence: resolved, onlyIfNew: onlyIfNew)
            record.recordedIndex = recorded.count
            recorded.append(content)
            let count = triggered.count
            let fault = handOn(resolved)
            if triggered.count > count { record.triggeredIndex = count }
            waitingRecords.append(record)
            return fault
        }
    }

    /// Records an occurrence. A record that must wait is finished after the event's turn.
    private func begin(_ fingerprint: EventFingerprint, onlyIfNew: Bool) throws -> RecordProgress {
        if let history = history as? any DeferringEventHistory {
            return try history.begin(fingerprint, at: now, onlyIfNew: onlyIfNew)
        }
        if onlyIfNew { return .isWritten(isNew: try history.recordIfNew(fingerprint, at: now)) }
        try history.record(fingerprint, at: now)
        return .isWritten(isNew: true)
    }

    private func change(_ detail: JSObject) -> String? {
        guard case .string(let key)? = detail["key"] else { return "the profile is unchanged: 'key' must be a text." }
        switch detail["operation"] {
        case "write":
            switch detail["value"] {
            case .string?, .integer?, .number?: profile.change(key, to: detail["value"])
            default: return "the profile is unchanged: 'value' must be a text or a number."
            }
        case "delete": profile.change(key, to: nil)
        default: return "the profile is unchanged: 'operation' must be write or delete."
        }
        return nil
    }

    private mutating func handOn(_ resolved: ResolvedConsequence) -> String? {
        // Such an event is one level deeper than `dispatch` allows. Only a response event that an app passes to the
        // engine reaches this depth.
        guard event.generation <= Self.chainLimit else {
            return "not passed to a handler: two successive consequences led to this event."
        }
        triggered.append(
            TriggeredConsequence(
                consequence: resolved.consequence, event: event, assets: assets.named(in: resolved.consequence.detail),
                address: resolved.address))
        return nil
    }
}

extension ResolvedConsequence {
    /// Creates a warning about this consequence.
    func warning(_ fault: String) -> MobileRulesWarning {
        let place = "$.rules[\(ruleIndex)], consequence '\(consequence.id.excerpt(80))'"
        return MobileRulesWarning(at: place, fault, ruleIndex: ruleIndex)
    }
}
